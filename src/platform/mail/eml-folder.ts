import { mkdir, open, rename } from "node:fs/promises";
import path from "node:path";

/**
 * Writes a mail as a file under DATA_DIR/mail that nobody else can read, because mails may hold sign-in links. A file
 * named .eml always holds a complete mail. The same mail gets the same name again.
 */
export async function writeEml(
  dataDir: string,
  mail: { id: number; createdAt: Date },
  bytes: Buffer,
): Promise<void> {
  const folder = path.join(dataDir, "mail");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${fileTime(mail.createdAt)}-${mail.id}.eml`);
  const unfinished = `${file}.${process.pid}.part`;
  const handle = await open(unfinished, "w", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}

/** A name like 2026-11-21T12-00-00-000Z, which sorts by time and is valid on every file system. */
const fileTime = (instant: Date): string => instant.toISOString().replace(/[:.]/g, "-");
