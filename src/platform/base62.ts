import { randomInt } from "node:crypto";

/** Letters and digits: what survives every text field, shell and double click. */
export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random letters and digits, 5.95 bits each. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62.charAt(randomInt(62))).join("");
