import { createHash, randomBytes } from "node:crypto";

/** A token nobody can guess: 256 random bits in base64url. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** What is kept of a token: its SHA-256. Null for a text that can be none, so that it never reaches the database. */
export function hashToken(token: string): Buffer | null {
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? createHash("sha256").update(token).digest() : null;
}
