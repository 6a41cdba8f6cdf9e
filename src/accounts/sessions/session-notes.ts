// Texts that a session's next page shows once, such as a new key: left by the request that made it, taken by the page that
// the browser is sent to, so that loading that page again repeats nothing and shows nothing.
import { hkdfSync } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import { type Secrets, secretsUnder } from "../../platform/secrets.ts";
import * as sql from "./statements.ts";
import { hashPresented, hashToken, newToken } from "./token.ts";

const VALID_MS = 5 * 60_000;

/**
 * Keeps a text for the session until a page takes it. Returns the name to take it by, which says nothing of the text and
 * may stand in an address.
 */
export async function leaveNote(context: Context, sessionToken: string, text: string): Promise<string> {
  const name = newToken();
  const now = context.clock.now();
  await sql.leaveNote.run(context.db.pool, {
    nameHash: hashToken(name),
    sessionHash: hashToken(sessionToken),
    sealed: sealerOf(sessionToken).seal(text, name),
    now,
    expiresAt: new Date(now.getTime() + VALID_MS),
  });
  return name;
}

/** The text left under this name by the same session, once; null where it was taken already, is too old or another's. */
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

// The database has only the hash of the session's token, so nobody who reads the database can read what is kept here.
const sealerOf = (sessionToken: string): Secrets =>
  secretsUnder([Buffer.from(hkdfSync("sha256", sessionToken, "", "dashboard note", 32))]);
