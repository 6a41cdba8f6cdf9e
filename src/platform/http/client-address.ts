import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * The address a request comes from. Exactly `trustedHops` proxies in front are believed: each puts the address it was
 * asked from at the right end of X-Forwarded-For, so what a client writes there itself stands further left and is
 * never looked at. An entry that is no address gives way to the one that was seen one hop nearer.
 */
export function clientAddressOf(
  request: Pick<IncomingMessage, "headers" | "socket">,
  trustedHops: number,
): string {
  const forwarded = [request.headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const seen = [...forwarded.map(withoutPort), request.socket.remoteAddress ?? ""];
  const believed = seen.slice(-1 - trustedHops);
  return believed.find((address) => isIP(address) !== 0) ?? "unknown";
}

/** Some proxies write `192.0.2.7:51034` and `[2001:db8::7]:51034`. */
function withoutPort(entry: string): string {
  const text = entry.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}
