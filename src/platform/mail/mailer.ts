import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../context.ts";
import { loadSql } from "../database/sql.ts";
import { instanceId } from "../installation.ts";
import { type ClaimedMail, deliver } from "./deliver.ts";
import { startOutboxCare } from "./outbox-care.ts";
import { postmanOf } from "./postman.ts";

const CLAIM_SQL = loadSql(import.meta.url, "claim.sql");

const POLL_EVERY_MS = 1_000;
/** How many mails are on their way at once. */
const AT_ONCE = 5;
/** The longest that one try of a mail may take, its short repeats included. */
const TRY_TIMEOUT_MS = 30_000;
/** Longer than a try with its record: a mail whose process died is taken over after it. */
const LEASE_MS = 90_000;

export interface Mailer {
  /** Claims nothing more and waits for the mails on their way. */
  stop(): Promise<void>;
}

const PACE = { pollEveryMs: POLL_EVERY_MS, tryTimeoutMs: TRY_TIMEOUT_MS };

/** Sends queued mails as they become due, beside any number of processes that do the same. */
export function startMailer(context: Context, pace: Partial<typeof PACE> = {}): Mailer {
  const stopping = new AbortController();
  const running = run(context, { ...PACE, ...pace }, stopping.signal);
  const stopCaring = startOutboxCare(context);
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await stopCaring();
    },
  };
}

async function run(context: Context, pace: typeof PACE, stopping: AbortSignal): Promise<void> {
  const flying = new Set<Promise<void>>();
  while (!stopping.aborted) {
    const room = AT_ONCE - flying.size;
    const claimed = await claim(context, room, pace.tryTimeoutMs);
    for (const send of claimed) {
      const flight = send().finally(() => flying.delete(flight));
      flying.add(flight);
    }
    if (claimed.length === room) await Promise.race(flying);
    else await wait(pace.pollEveryMs, undefined, { signal: stopping }).catch(() => {});
  }
  await Promise.all(flying);
}

/** Leases mails that are due, at most `most`; each answered function sends one and never rejects. */
async function claim(context: Context, most: number, timeoutMs: number): Promise<(() => Promise<void>)[]> {
  try {
    const now = context.clock.now();
    const { rows } = await context.db.pool.query<ClaimedMail>(CLAIM_SQL, [now, LEASE_MS, most]);
    if (rows.length === 0) return [];
    const postman = postmanOf(context.config, await instanceId(context));
    return rows.map((mail) => () => deliver(context, postman, { mail, timeoutMs }));
  } catch (error) {
    context.log.warn({ err: error }, "Mails could not be looked for; they are kept.");
    return [];
  }
}
