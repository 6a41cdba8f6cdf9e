// Egress: the only way deliveries leave.
// Owns the connections to receivers.
// Promises that no address is reached that is neither public nor opened by the operator, and that every attempt ends
// in time, whatever the receiver does.
import { createConnections } from "./connections.ts";
import { createConnector } from "./connector.ts";
import { exchange, type Outcome } from "./exchange.ts";
import { createNameLookup } from "./name-lookup.ts";
import { addressRule } from "./public-address.ts";
import { targetsUnder } from "./targets.ts";

export interface SenderOptions {
  /** Address ranges that may be reached although they are not public, in CIDR form. */
  allowedCidrs: readonly string[];
  /** How long an attempt may take in all, from the name's lookup to the answer's end. */
  timeoutMs?: number;
  /** Certificate authorities in PEM form to trust in the place of Node's own and NODE_EXTRA_CA_CERTS. */
  ca?: string | Buffer;
  /** Name servers to ask, with their ports, in the place of the machine's. */
  nameServers?: readonly string[];
}

/** What to send. */
interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface SendResult extends Outcome {
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
export function createSender({
  allowedCidrs,
  timeoutMs = TIMEOUT_MS,
  ca,
  nameServers,
}: SenderOptions): Sender {
  const connections = createConnections(
    createConnector({
      mayReach: addressRule(allowedCidrs),
      lookUp: createNameLookup(nameServers),
      ...(ca === undefined ? {} : { ca }),
    }),
  );
  const targetOf = targetsUnder(allowedCidrs);
  let isClosed = false;
  return {
    async send({ url, headers, body }) {
      // Nothing is measured of a target that is refused: how long it took would tell of what lies there.
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
    close: async () => {
      isClosed = true;
      connections.closeAll();
    },
  };
}
