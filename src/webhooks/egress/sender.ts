// Egress sends the requests of deliveries; no other code does.
// It owns the connections to receivers.
// It promises to reach only addresses that are public or that the operator opened, and to end every attempt in time.

import { addressRule, targetsUnder } from "./address-rules.ts";
import { createConnections } from "./connections.ts";
import { createConnector } from "./connector.ts";
import { exchange, type Outcome } from "./exchange.ts";
import { createNameLookup } from "./name-lookup.ts";

export interface SenderOptions {
  /** Address ranges in CIDR form that deliveries may reach although they are not public. */
  allowedCidrs: readonly string[];
  /** Deadline of an attempt, from the name's lookup to the answer's end. */
  timeoutMs?: number;
  /** Certificate authorities in PEM form to trust instead of Node's own and NODE_EXTRA_CA_CERTS. */
  ca?: string | Buffer;
  /** How many requests may be under way at once: so many connections are kept for the next ones. */
  slots?: number;
  /** Name servers to ask, with their ports, instead of the machine's. */
  nameServers?: readonly string[];
}

/** A request to send. */
interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface SendResult extends Outcome {
  durationMs: number;
}

export interface Sender {
  /** Sends one POST request. Never throws: the result says what went wrong. */
  send(outgoing: Outgoing): Promise<SendResult>;
  /** Closes the connections: requests in flight fail. */
  abort(): void;
  /** The same, for good. */
  close(): Promise<void>;
}

const LEAST_IDLE = 100;
/** How long an attempt may take. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** Creates a sender; a process needs one. */
export function createSender({
  allowedCidrs,
  timeoutMs = ATTEMPT_TIMEOUT_MS,
  ca,
  slots = LEAST_IDLE,
  nameServers,
}: SenderOptions): Sender {
  const connections = createConnections(
    createConnector({
      mayReach: addressRule(allowedCidrs),
      lookUp: createNameLookup(nameServers),
      ...(ca === undefined ? {} : { ca }),
    }),
    Math.max(LEAST_IDLE, slots),
  );
  const targetOf = targetsUnder(allowedCidrs);
  let isClosed = false;
  return {
    async send({ url, headers, body }) {
      // No duration for a refused target: it would reveal whether something answers at that address.
      const refused: SendResult = { httpStatus: null, reason: "address_not_allowed", durationMs: 0 };
      const target = targetOf(url);
      if (target === null) return refused;
      if (isClosed) return { httpStatus: null, reason: "connection_failed", durationMs: 0 };
      const startedAtMs = performance.now();
      const request = {
        origin: target.origin,
        path: target.path,
        method: "POST",
        body,
        headers: { ...headers, "accept-encoding": "identity" },
      };
      const outcome = await exchange(connections, request, timeoutMs);
      if (outcome.reason === "address_not_allowed") return refused;
      return { ...outcome, durationMs: Math.round(performance.now() - startedAtMs) };
    },
    abort: () => connections.closeAll(),
    close: async () => {
      isClosed = true;
      connections.closeAll();
    },
  };
}
