import ipaddr from "ipaddr.js";

/** The only part of IPv6 that is given out for the public internet (RFC 4291 2.4); everything else is special or unused. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** Judges addresses: whether deliveries may go to one. */
export type AddressRule = (address: string) => boolean;

/**
 * A rule that lets through what is public, and what lies in one of the ranges an operator has opened. An IPv4 address
 * in IPv6's clothes is judged as the IPv6 address it is, and none of those are public.
 */
export function addressRule(allowedCidrs: readonly string[]): AddressRule {
  const ranges = allowedCidrs.map((range) => ipaddr.parseCIDR(range));
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.parse(text);
    return isPublic(address) || ranges.some((range) => isWithin(address, range));
  };
}

type Address = ReturnType<typeof ipaddr.parse>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

const isPublic = (address: Address): boolean =>
  address.range() === "unicast" && (address.kind() === "ipv4" || isWithin(address, GLOBAL_UNICAST));

const isWithin = (address: Address, range: Range): boolean =>
  address.kind() === range[0].kind() && address.match(range);
