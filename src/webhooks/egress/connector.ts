import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { buildConnector } from "undici";
import type { NameLookup } from "./name-lookup.ts";
import type { AddressRule } from "./public-address.ts";
import { SendFailure } from "./reasons.ts";

export interface ConnectorOptions {
  mayReach: AddressRule;
  lookUp: NameLookup;
  /** Certificate authorities to trust in the place of Node's own. */
  ca?: SecureContextOptions["ca"];
}

/** Opens a TLS connection; the signal ends it, at whatever stage it is. */
export type Connector = (target: buildConnector.Options, signal: AbortSignal) => Promise<Socket>;

/** How many of a name's addresses are tried, and how long each but the last of them has. */
const MOST_ADDRESSES = 8;
const TRY_MS = 1_000;

/**
 * A connector that reaches no address it may not. It judges the addresses themselves: one that stands in the URL,
 * all of those that a name has at this moment, and then the one the socket has really connected to, before any byte
 * is written. Throws SendFailure.
 */
export function createConnector({ mayReach, lookUp, ca }: ConnectorOptions): Connector {
  const secure = buildConnector({
    // Made once: building it anew would read all authorities for every connection.
    secureContext: createSecureContext({ minVersion: "TLSv1.2", ...(ca === undefined ? {} : { ca }) }),
    // Named, so that no environment variable turns it off.
    rejectUnauthorized: true,
    allowH2: false,
    // The deadline of the attempt ends this too.
    timeout: 0,
  });
  return async (target, signal) => {
    const { hostname, port } = target;
    const addresses = isIP(hostname) === 0 ? await lookUp(hostname) : [hostname];
    // One that is not allowed spoils them all: a name that stands for both has a purpose.
    if (!addresses.every(mayReach)) throw new SendFailure("address_not_allowed");
    const socket = await connectTcp(addresses.slice(0, MOST_ADDRESSES), Number(port || 443), signal);
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || !mayReach(remoteAddress)) {
      socket.destroy();
      // It has none when it is gone again already.
      throw new SendFailure(remoteAddress === undefined ? "connection_failed" : "address_not_allowed");
    }
    return new Promise((resolve, reject) => {
      secure({ ...target, httpSocket: socket }, (error, secured) => {
        if (error === null) resolve(secured);
        else reject(new SendFailure("tls_failed", error));
      });
    });
  };
}

function connectTcp(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const judged = addresses.map((address) => ({ address, family: isIP(address) }));
  // The addresses that were judged, and no second lookup.
  const lookup: LookupFunction = (_name, _options, callback) => callback(null, judged);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({
      host: "receiver.invalid",
      port,
      lookup,
      noDelay: true,
      signal,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: TRY_MS,
    });
    socket.once("connect", () => resolve(socket));
    socket.on("error", (error) => reject(new SendFailure("connection_failed", error)));
  });
}
