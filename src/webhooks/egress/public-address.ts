import ipaddr from "ipaddr.js";

/** The only IPv6 range that is assigned for the public internet (RFC 4291 2.4); all others are special or unused. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** Whether deliveries may go to an address. */
export type AddressRule = (address: string) => boolean;

/**
 * A rule that allows public addresses and the ranges that an operator opened. An IPv4-mapped IPv6 address is checked as
 * an IPv6 address, and no such address is public.
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
