import { createTransport } from "nodemailer";
import type { Config } from "../config/config.ts";
import { mailAddressFrom } from "./address.ts";
import { writeEml } from "./eml-folder.ts";

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
