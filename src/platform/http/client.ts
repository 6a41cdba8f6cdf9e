import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Context } from "../context.ts";
import { dynamic } from "../database/statement.ts";
import { ProblemError } from "./problem.ts";

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

/** The usual prefix of one internet connection, within which a client can change its address. */
const IPV6_PREFIX_BITS = 56;

/** The part of an address that a client is counted by: a whole IPv4 address, or the /56 of an IPv6 address. */
export function clientPrefix(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_PREFIX_BITS}`);
  return `${network.toNormalizedString()}/${IPV6_PREFIX_BITS}`;
}

/** A keyed digest of a client's address: it recognises the client, but does not reveal the address. */
export const clientDigest = ({ secrets }: Pick<Context, "secrets">, address: string): Buffer =>
  secrets.digest(clientPrefix(address), "client address");

/** How often a client may ask for something. */
export interface ClientLimit {
  /** The caller's unlogged table that counts (client_digest, minute, used). */
  table: string;
  most: number;
  /** The length of a window. Each window counts from zero. */
  windowMinutes: number;
  /** The message for a client that must wait for some seconds. */
  refusal: (retryAfterSeconds: number) => string;
}

/**
 * Counts a request of the client in the current window, over all processes. ProblemError rate_limited above the limit.
 */
export async function countClient(
  { db, clock }: Pick<Context, "db" | "clock">,
  { table, most, windowMinutes, refusal }: ClientLimit,
  digest: Buffer,
): Promise<void> {
  const nowMs = clock.now().getTime();
  // As in the statement admission: a window that another process has just begun counts, but none further in the future.
  const { rows } = await dynamic(
    db.pool,
    `INSERT INTO ${table} AS stored (client_digest, minute, used) VALUES ($1, $2, 1)
     ON CONFLICT (client_digest) DO UPDATE SET
       minute = CASE WHEN stored.minute - excluded.minute IN (0, $3) THEN stored.minute ELSE excluded.minute END,
       used = CASE WHEN stored.minute - excluded.minute IN (0, $3) THEN stored.used ELSE 0 END + 1
     RETURNING used, minute`,
    [digest, Math.floor(nowMs / (windowMinutes * 60_000)) * windowMinutes, windowMinutes],
  );
  const { used, minute } = rows[0] as { used: number; minute: number };
  if (used <= most) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(((minute + windowMinutes) * 60_000 - nowMs) / 1000));
  throw new ProblemError("rate_limited", refusal(retryAfterSeconds), { retryAfterSeconds });
}
