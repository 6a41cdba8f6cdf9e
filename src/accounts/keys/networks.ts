import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Networks that a key may have. */
export const MOST_NETWORKS = 20;

/** Whether a client's address is in one of the networks. An IPv4-mapped IPv6 address is its IPv4 address. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return networks.some((network) => {
    const [first, bits] = ipaddr.parseCIDR(network);
    return first.kind() === client.kind() && client.match(first, bits);
  });
}

/**
 * A network in its shortest CIDR form; an address alone is a network of one. Null for any other text, and for a network
 * whose address has bits behind its prefix, because it may be a mistyped one.
 */
export function networkFrom(text: string): string | null {
  const [, address = "", prefix] = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return null;
  const mostBits = version === 4 ? 32 : 128;
  const bits = Number(prefix ?? mostBits);
  if (bits > mostBits) return null;
  const cidr = `${parsed.toString()}/${bits}`;
  const kind = version === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return kind.networkAddressFromCIDR(cidr).toString() === parsed.toString() ? cidr : null;
}

/** Whether every address of the network is in one of the others. */
export function isWithinNetworks(network: string, others: readonly string[]): boolean {
  const [first, bits] = ipaddr.parseCIDR(network);
  return others.some((other) => {
    const [otherFirst, otherBits] = ipaddr.parseCIDR(other);
    return otherFirst.kind() === first.kind() && otherBits <= bits && first.match(otherFirst, otherBits);
  });
}
