import { createHash, randomBytes } from "node:crypto";

/** A token nobody can guess: 256 random bits in base64url. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** The hash of a token that somebody presents. Null for a text that can be none, so that it never reaches the database. */
export const hashPresented = (token: string): Buffer | null =>
  /^[A-Za-z0-9_-]{43}$/.test(token) ? hashToken(token) : null;

/** What is kept of a token: its SHA-256. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();
