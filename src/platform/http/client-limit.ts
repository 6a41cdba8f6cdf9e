import ipaddr from "ipaddr.js";
import type { Context } from "../context.ts";
import { dynamic } from "../database/statement.ts";
import { ProblemError } from "./problem.ts";

/** What one connection to the internet usually gets: within it, addresses are changed at will. */
const IPV6_PREFIX_BITS = 56;

/** The address a client is counted under: an IPv4 address whole, of an IPv6 address the /56. */
export function clientPrefix(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_PREFIX_BITS}`);
  return `${network.toNormalizedString()}/${IPV6_PREFIX_BITS}`;
}

/** What is kept of a client's address: enough to know it again, and nothing to read it from. */
export const clientDigest = ({ secrets }: Pick<Context, "secrets">, address: string): Buffer =>
  secrets.digest(clientPrefix(address), "client address");

/** How often a client may ask for something. */
export interface ClientLimit {
  /** Where it is counted: the caller's unlogged table (client_digest, minute, used). */
  table: string;
  most: number;
  /** The limit begins anew with each window of so many minutes. */
  windowMinutes: number;
  /** What a client is told that has to wait for so many seconds. */
  refusal: (retryAfterSeconds: number) => string;
}

/**
 * Counts a request of the client in the current window, exactly, over any number of processes. ProblemError
 * rate_limited where it has asked too often.
 */
export async function countClient(
  { db, clock }: Pick<Context, "db" | "clock">,
  { table, most, windowMinutes, refusal }: ClientLimit,
  digest: Buffer,
): Promise<void> {
  const nowMs = clock.now().getTime();
  // As in admission.sql: the window that another process has just begun is this one's too, but none further ahead.
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
