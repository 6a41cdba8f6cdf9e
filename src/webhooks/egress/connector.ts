import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { buildConnector } from "undici";
import type { AddressRule } from "./address-rules.ts";
import type { NameLookup } from "./name-lookup.ts";
import { SendFailure } from "./reasons.ts";

export interface ConnectorOptions {
  mayReach: AddressRule;
  lookUp: NameLookup;
  /** Certificate authorities to trust instead of Node's own. */
  ca?: SecureContextOptions["ca"];
}

/** Opens a TLS connection; the signal aborts it at any stage. */
export type Connector = (target: buildConnector.Options, signal: AbortSignal) => Promise<Socket>;

/** How many of a name's addresses are tried, and how long each of them has except the last. */
const MOST_ADDRESSES = 8;
const TRY_MS = 1_000;

/**
 * A connector that connects only to allowed addresses. It checks the address in the URL, or every address that the name
 * has now, and then the address that the socket really has, before it writes any byte. Throws SendFailure.
 */
export function createConnector({ mayReach, lookUp, ca }: ConnectorOptions): Connector {
  const secure = buildConnector({
    // Created once: creating it reads all certificate authorities.
    secureContext: createSecureContext({ minVersion: "TLSv1.2", ...(ca === undefined ? {} : { ca }) }),
    // Explicit, so that no environment variable turns it off.
    rejectUnauthorized: true,
    allowH2: false,
    // The deadline of the attempt ends this too.
    timeout: 0,
  });
  return async (target, signal) => {
    const { hostname, port } = target;
    const addresses = isIP(hostname) === 0 ? await lookUp(hostname) : [hostname];
    // One address that is not allowed refuses the name: a name with both kinds is an attack.
    if (!addresses.every(mayReach)) throw new SendFailure("address_not_allowed");
    const socket = await connectTcp(addresses.slice(0, MOST_ADDRESSES), Number(port || 443), signal);
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || !mayReach(remoteAddress)) {
      socket.destroy();
      // A socket that is already closed has no address.
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
  const allowed = addresses.map((address) => ({ address, family: isIP(address) }));
  // Only the addresses that were checked: no second lookup.
  const lookup: LookupFunction = (_name, _options, callback) => callback(null, allowed);
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
