import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type Answer, decode, encode, type RecordType } from "dns-packet";

/** Records, or a refusal: no such name, or no answer at all. */
export type NameAnswer = readonly Answer[] | "no such name" | "silence";

/** A name server on loopback. */
export interface NameServer {
  /** With its port, as a sender takes it. */
  address: string;
  /** The requested names in order; each twice, for IPv4 and IPv6. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts one with these answers. */
export async function startNameServer(
  answerTo: (name: string, type: RecordType) => NameAnswer,
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const [{ name, type } = { name: "", type: "A" as const }] = questions;
    asked.push(name);
    const answer = answerTo(name, type);
    if (answer === "silence") return;
    const [answers, code] = answer === "no such name" ? [[], 3] : [[...answer], 0];
    socket.send(
      encode({ type: "response", id: id ?? 0, flags: RECURSION | code, questions, answers }),
      port,
      address,
    );
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Flags: recursion desired, recursion available. */
const RECURSION = 0x0180;

/** Address records with a lifetime of 0, for the addresses of the requested type. */
export const addressRecords = (name: string, type: RecordType, addresses: readonly string[]): Answer[] =>
  addresses
    .filter((address) => type === (address.includes(":") ? "AAAA" : "A"))
    .map((data) => ({ type: type as "A" | "AAAA", name, ttl: 0, data }));
