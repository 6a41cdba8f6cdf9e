import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** A mail that the server accepted, or was receiving when its client disconnected. */
interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and text as received, with CRLF. */
  raw: string;
}

export interface MailServer {
  /** In the form of SMTP_URL. */
  url: string;
  port: number;
  received: ReceivedMail[];
  connections: number;
  stop(): Promise<void>;
}

interface Behaviour {
  /** Answers a connection; an Error refuses it. */
  onConnect?: () => Promise<void> | void;
  /** Answers a recipient; an Error with responseCode refuses it. */
  onRecipient?: (address: string) => void;
  /** Answers a whole mail, which counts as received when it is called. */
  onMail?: (mail: ReceivedMail) => Promise<void>;
  /** AUTH is offered without TLS when it is set. */
  users?: ReadonlyMap<string, string>;
}

/** A real SMTP server on loopback, without TLS. */
export async function startMailServer(behaviour: Behaviour = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const state = { connections: 0 };
  const server = new SMTPServer({
    disabledCommands: behaviour.users ? ["STARTTLS"] : ["STARTTLS", "AUTH"],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username = "", password }, _session, done) =>
      behaviour.users?.get(username) === password ? done(null, { user: username }) : done(new Error("no")),
    onConnect: (_session, done) => {
      state.connections += 1;
      answer(async () => behaviour.onConnect?.(), done);
    },
    onRcptTo: ({ address }, _session, done) => answer(async () => behaviour.onRecipient?.(address), done),
    onData: (stream, { envelope }, done) =>
      answer(async () => {
        const mail = {
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: await text(stream),
        };
        mails.push(mail);
        await behaviour.onMail?.(mail);
      }, done),
  });
  // Some tests kill the client, which breaks its connection.
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received: mails,
    get connections() {
      return state.connections;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function answer(work: () => Promise<unknown>, done: (error?: Error | null) => void): void {
  work().then(
    () => done(),
    (error) => done(error as Error),
  );
}

/** The value of a header of a raw mail, unfolded. */
export function headerOf(raw: string, name: string): string | null {
  const head = raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  return new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1] ?? null;
}
