import { mkdir, open, rename } from "node:fs/promises";
import path from "node:path";

/**
 * Writes a mail as a file under DATA_DIR/mail, readable by nobody else: mails may hold links that sign in. A name ending
 * in .eml only ever holds a whole mail; the same mail again takes the same name.
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

/** 2026-11-21T12-00-00-000Z: sorts by time, and every file system takes it. */
const fileTime = (instant: Date): string => instant.toISOString().replace(/[:.]/g, "-");
