import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import type { Config } from "../context.ts";
import { mailAddressFrom } from "./address.ts";

/** A mail to send. Each try sends the same bytes. */
export interface Letter {
  id: number;
  recipient: string;
  subject: string;
  body: string;
  createdAt: Date;
}

/** Sends a letter; throws when it was not accepted. */
export type Postman = (letter: Letter, signal: AbortSignal) => Promise<void>;

/** Sends over SMTP when the configuration names a server, otherwise into .eml files under DATA_DIR/mail. */
export function postmanOf(config: Config, instance: string): Postman {
  const message = (letter: Letter) => messageOf(letter, config.mailFrom, instance);
  if (config.smtpUrl === null) {
    const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
    return async (letter) => {
      const { message: bytes } = await composer.sendMail(message(letter));
      await writeEml(config.dataDir, letter, bytes as Buffer);
    };
  }
  const smtp = createTransport({
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 15_000,
    dnsTimeout: 5_000,
    requireTLS: hasCredentialsForAnotherMachine(config.smtpUrl),
    url: config.smtpUrl,
  });
  return async (letter, signal) => {
    await smtp.sendMail({ ...message(letter), signal });
  };
}

// A password never crosses a network without encryption.
function hasCredentialsForAnotherMachine(smtpUrl: string): boolean {
  const { username, hostname } = new URL(smtpUrl);
  return username !== "" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

const messageOf = ({ id, recipient, subject, body, createdAt }: Letter, from: string, instance: string) => ({
  from,
  // As an object, the address is used as it is and not parsed from a text.
  to: { name: "", address: recipient },
  subject,
  text: body,
  date: createdAt,
  // The same for every try, so that a receiver recognises a duplicate.
  messageId: `<${instance}.${id}@${mailAddressFrom(from)?.split("@")[1] ?? "localhost"}>`,
  headers: { "Auto-Submitted": "auto-generated" },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * Writes a mail as a file under DATA_DIR/mail that nobody else can read, because mails may hold sign-in links. A file
 * named .eml always holds a complete mail. The same mail gets the same name again.
 */
async function writeEml(
  dataDir: string,
  mail: { id: number; createdAt: Date },
  bytes: Buffer,
): Promise<void> {
  const folder = path.join(dataDir, "mail");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${fileTime(mail.createdAt)}-${mail.id}.eml`);
  const unfinished = `${file}.${process.pid}.part`;
  try {
    await writeFile(unfinished, bytes, { mode: 0o600, flush: true });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A name like 2026-11-21T12-00-00-000Z, which sorts by time and is valid on every file system. */
const fileTime = (instant: Date): string => instant.toISOString().replace(/[:.]/g, "-");
