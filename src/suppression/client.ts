import ipaddr from "ipaddr.js";
import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/problem.ts";

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

/** Counts a request of the client in the current minute, exactly, over any number of processes. ProblemError rate_limited. */
export async function countClient(context: Context, digest: Buffer): Promise<void> {
  const { optOutPerMinute: limit } = context.config;
  const nowMs = context.clock.now().getTime();
  // The minute never goes back: a process whose clock is behind counts into the minute the others have begun.
  const { rows } = await context.db.pool.query<{ used: number; minute: number }>(
    `INSERT INTO removal_client AS stored (client_digest, minute, used) VALUES ($1, $2, 1)
     ON CONFLICT (client_digest) DO UPDATE SET
       minute = greatest(stored.minute, excluded.minute),
       used = CASE WHEN stored.minute < excluded.minute THEN 0 ELSE stored.used END + 1
     RETURNING used, minute`,
    [digest, Math.floor(nowMs / 60_000)],
  );
  const { used, minute } = rows[0] as { used: number; minute: number };
  if (used <= limit) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(((minute + 1) * 60_000 - nowMs) / 1000));
  throw new ProblemError(
    "rate_limited",
    `This address may send ${limit} removal requests a minute. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
