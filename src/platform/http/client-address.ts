import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * The client address of a request. Each of the `trustedHops` proxies in front appends the address of its own client to
 * X-Forwarded-For. Exactly that many entries at the right end are trusted; entries that a client wrote itself are further
 * left. When an entry is not an address, the next entry to the right counts.
 */
export function clientAddressOf(
  request: Pick<IncomingMessage, "headers" | "socket">,
  trustedHops: number,
): string {
  const forwarded = [request.headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const seen = [...forwarded.map(withoutPort), request.socket.remoteAddress ?? ""];
  const trusted = seen.slice(-1 - trustedHops);
  return trusted.find((address) => isIP(address) !== 0) ?? "unknown";
}

/** Some proxies write `192.0.2.7:51034` and `[2001:db8::7]:51034`. */
function withoutPort(entry: string): string {
  const text = entry.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}
