import { randomInt } from "node:crypto";

/** Letters and digits: safe in every text field and shell, and selected as a whole by a double click. */
export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random letters and digits, 5.95 bits each. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62.charAt(randomInt(62))).join("");
