import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

const LEAST_FREE_PORT = 1024;
/** Names that resolve only inside a private network. */
const PRIVATE_NAME = /(^|\.)(local|internal|localdomain|lan|intranet|home\.arpa)$/;

/**
 * Why a customer may not register a URL, as a sentence for the customer; null when it may be. Besides refusalOfTarget, it
 * refuses forms that a browser's parser mends and other parsers refuse.
 */
export function refusalOfUrl(text: string, allowedCidrs: readonly string[]): string | null {
  const refusal = refusalOfTarget(text, allowedCidrs);
  if (refusal !== null) return refusal;
  if (text.includes("\\")) return "The URL must not contain backslashes.";
  const [, authority] = /^https:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority === undefined) return "The URL must start with https:// and its host.";
  if (authority.includes("@")) return NO_USER;
  return text.includes("#") ? NO_FRAGMENT : null;
}

const NO_USER = "The URL must not contain a user name or password.";
const NO_FRAGMENT = "The URL must not contain a fragment (#…): it would never be sent.";

/**
 * Why deliveries may not go to a URL; null when they may. It checks the text alone: each connection checks the addresses of
 * the name.
 */
function refusalOfTarget(text: string, allowedCidrs: readonly string[]): string | null {
  if (/[\p{Cc}\s]/u.test(text)) return "The URL must not contain spaces or control characters.";
  const url = URL.parse(text);
  if (url === null) return "The URL is not valid; it must look like https://hooks.example.com/path.";
  if (url.protocol !== "https:") return "The URL must start with https://.";
  if (url.username !== "" || url.password !== "") return NO_USER;
  if (url.hash !== "") return NO_FRAGMENT;
  if (url.port !== "" && Number(url.port) < LEAST_FREE_PORT) {
    return `The URL's port must be 443, or ${LEAST_FREE_PORT} or above.`;
  }
  return refusalOfHost(hostOf(url), allowedCidrs);
}

/** A URL's host as sockets and resolvers need it: IPv6 addresses without brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

function refusalOfHost(host: string, allowedCidrs: readonly string[]): string | null {
  if (isIP(host) !== 0) {
    return addressRule(allowedCidrs)(host) ? null : `The URL's host ${host} is not a public address.`;
  }
  if (host.endsWith(".")) return "The URL's host must not end in a dot.";
  if (/(^|\.)localhost$/.test(host)) return "The URL's host must not be localhost: it must be a public name.";
  // An operator who opened a private range may use private names too; each connection still checks their addresses.
  if (allowedCidrs.length > 0) return null;
  if (!host.includes(".") || PRIVATE_NAME.test(host)) {
    return `The URL's host must be a public name, not ${host}, which only resolves inside a private network.`;
  }
  return null;
}

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

/** A URL split into the parts that a request needs. */
export interface Target {
  origin: string;
  /** With the query. */
  path: string;
}

/** Cache size: checking a URL takes longer than everything else that is done for a request. */
const MOST_REMEMBERED = 1_000;

/** Splits URLs with the same parser that checks them; null for a refused URL. */
export function targetsUnder(allowedCidrs: readonly string[]): (url: string) => Target | null {
  const targets = new LRUCache<string, { target: Target | null }>({ max: MOST_REMEMBERED });
  return (url) => {
    const known = targets.get(url);
    if (known !== undefined) return known.target;
    const target = refusalOfTarget(url, allowedCidrs) === null ? targetOf(new URL(url)) : null;
    targets.set(url, { target });
    return target;
  };
}

const targetOf = ({ origin, pathname, search }: URL): Target => ({ origin, path: pathname + search });
