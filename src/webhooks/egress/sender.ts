// Egress: the only way deliveries leave.
// Owns the connections to receivers.
// Promises that no connection is opened to an address that is not public, and that an attempt ends in time.
import { Agent, request } from "undici";
import { refusalOfUrl } from "./address-rules.ts";
import type { FailureReason } from "./reasons.ts";

export interface SenderOptions {
  /** Address ranges that may be reached although they are not public, in CIDR form. */
  allowedCidrs: readonly string[];
  /** How long an attempt may take in all, from the name's lookup to the answer's end. */
  timeoutMs?: number;
  /** Certificate authorities in PEM form to trust in the place of Node's own and NODE_EXTRA_CA_CERTS. */
  ca?: string;
}

/** What to send. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface SendResult {
  /** The receiver's answer; null where there was none. */
  httpStatus: number | null;
  /** Null: the receiver took it. */
  reason: FailureReason | null;
  durationMs: number;
}

export interface Sender {
  /** Sends once, by POST. Never throws: what went wrong is the result. */
  send(outgoing: Outgoing): Promise<SendResult>;
  /** Closes all connections; what is in flight fails. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 15_000;

/** Makes a sender; a process needs one. */
export function createSender({ allowedCidrs, timeoutMs = TIMEOUT_MS, ca }: SenderOptions): Sender {
  const agent = new Agent({ allowH2: false, connect: { ...(ca === undefined ? {} : { ca }) } });
  const send = async ({ url, headers, body }: Outgoing): Promise<SendResult> => {
    if (refusalOfUrl(url, allowedCidrs) !== null) {
      return { httpStatus: null, reason: "address_not_allowed", durationMs: 0 };
    }
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await request(url, { method: "POST", headers, body, dispatcher: agent, signal });
      await answer.body.dump();
      const isTaken = answer.statusCode >= 200 && answer.statusCode < 300;
      return {
        httpStatus: answer.statusCode,
        reason: isTaken ? null : "answer_not_2xx",
        durationMs: durationMs(),
      };
    } catch {
      return { httpStatus: null, reason: "connection_failed", durationMs: durationMs() };
    }
  };
  return { send, close: () => agent.destroy() };
}
