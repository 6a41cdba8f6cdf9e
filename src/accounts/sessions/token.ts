import { createHash, randomBytes } from "node:crypto";

/** A token nobody can guess: 256 random bits in base64url. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** The hash of a presented token. Null for a text of another form, which so never reaches the database. */
export const hashPresented = (token: string): Buffer | null =>
  /^[A-Za-z0-9_-]{43}$/.test(token) ? hashToken(token) : null;

/** The SHA-256 of a token; the database keeps nothing else of it. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();
