import { hash } from "node:crypto";

/**
 * An opaque cursor with these parts. `owner` names everything that it is valid for, such as an installation and an
 * account. No part may have a full stop. It holds no secret and no server state. Customers keep cursors for years, so
 * their text never changes.
 */
export function sealCursor(form: string, owner: string, parts: readonly (string | number)[]): string {
  const text = parts.join(".");
  return Buffer.from(`${form}.${text}.${checksum(owner, text)}`).toString("base64url");
}

/** The parts of a cursor of that form and owner, as texts; null for any other text. */
export function openCursor(form: string, owner: string, cursor: string): string[] | null {
  const [first, ...rest] = Buffer.from(cursor, "base64url").toString("latin1").split(".");
  const parts = rest.slice(0, -1);
  return first === form && sealCursor(form, owner, parts) === cursor ? parts : null;
}

// It finds mistakes, not forgery: a forged position shows nothing that the plan does not include.
const checksum = (owner: string, text: string): string =>
  hash("sha256", `${owner} ${text}`, "base64url").slice(0, 10);
