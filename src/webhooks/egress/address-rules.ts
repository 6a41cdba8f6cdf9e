import { isIP } from "node:net";
import { addressRule } from "./public-address.ts";

const LEAST_FREE_PORT = 1024;
/** Names that resolve only inside a private network. */
const PRIVATE_NAME = /(^|\.)(local|internal|localdomain|lan|intranet|home\.arpa)$/;

/**
 * Why deliveries may not go to a URL, as a sentence for the customer; null when they may. It checks the text alone: each
 * connection checks the addresses of the name.
 */
export function refusalOfUrl(text: string, allowedCidrs: readonly string[]): string | null {
  if (/[\p{Cc}\s]/u.test(text)) return "The URL must not contain spaces or control characters.";
  const url = URL.parse(text);
  if (url === null) return "The URL is not valid; it must look like https://hooks.example.com/path.";
  if (url.protocol !== "https:") return "The URL must start with https://.";
  if (url.username !== "" || url.password !== "") return "The URL must not contain a user name or password.";
  if (url.hash !== "") return "The URL must not contain a fragment (#…): it would never be sent.";
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
