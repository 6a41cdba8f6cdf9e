// Texts that a session's next page shows once, such as a new key. The request that makes the text stores it; the page
// that the browser is redirected to takes it. So reloading that page neither repeats the request nor shows the text.
import { hkdfSync } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import { type Secrets, secretsUnder } from "../../platform/secrets.ts";
import * as sql from "./statements.ts";
import { hashPresented, hashToken, newToken } from "./token.ts";

const VALID_MS = 5 * 60_000;

/**
 * Stores a text until a page of the session takes it. Returns the name to take it by, which reveals nothing of the text
 * and may be part of a URL.
 */
export async function leaveNote(context: Context, sessionToken: string, text: string): Promise<string> {
  const name = newToken();
  await sql.leaveNote.run(context.db.pool, {
    nameHash: hashToken(name),
    sessionHash: hashToken(sessionToken),
    sealed: sealerOf(sessionToken).seal(text, name),
    expiresAt: new Date(context.clock.now().getTime() + VALID_MS),
  });
  return name;
}

/** Takes the text that the same session stored under this name. Null if it was taken, is expired or of another session. */
export async function takeNote(context: Context, sessionToken: string, name: string): Promise<string | null> {
  const nameHash = hashPresented(name);
  if (nameHash === null) return null;
  const { rows } = await sql.takeNote.run(context.db.pool, {
    nameHash,
    sessionHash: hashToken(sessionToken),
    now: context.clock.now(),
  });
  const [note] = rows;
  return note?.isValid ? sealerOf(sessionToken).open(note.sealed, name) : null;
}

// The key comes from the session's token. The database has only the token's hash, so it cannot reveal the text.
const sealerOf = (sessionToken: string): Secrets =>
  secretsUnder([Buffer.from(hkdfSync("sha256", sessionToken, "", "dashboard note", 32))]);
