import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../context.ts";
import { instanceId } from "../installation/installation.ts";
import { deliver } from "./deliver.ts";
import { startOutboxCare } from "./outbox-care.ts";
import { postmanOf } from "./postman.ts";
import * as sql from "./statements.ts";

const POLL_EVERY_MS = 1_000;
/** The most mails that are being sent at once. */
const AT_ONCE = 5;
/** The longest that one try of a mail may take, with its short retries. */
const TRY_TIMEOUT_MS = 30_000;
/** Longer than a try takes, with its record. Afterwards another process may take over the mail. */
const LEASE_MS = 90_000;

export interface Mailer {
  /** Claims no more mails and waits for those being sent. */
  stop(): Promise<void>;
}

const PACE = { pollEveryMs: POLL_EVERY_MS, tryTimeoutMs: TRY_TIMEOUT_MS };

/** Sends queued mails when they are due. Any number of processes may do so. */
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
  const inFlight = new Set<Promise<void>>();
  while (!stopping.aborted) {
    const capacity = AT_ONCE - inFlight.size;
    const claimed = await claim(context, capacity, pace.tryTimeoutMs);
    for (const send of claimed) {
      const sending = send().finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    }
    if (claimed.length === capacity) await Promise.race(inFlight);
    else await wait(pace.pollEveryMs, undefined, { signal: stopping }).catch(() => {});
  }
  await Promise.all(inFlight);
}

/** Leases at most `most` due mails. Each returned function sends one and never rejects. */
async function claim(context: Context, most: number, timeoutMs: number): Promise<(() => Promise<void>)[]> {
  try {
    const now = context.clock.now();
    const { rows } = await sql.claimMails.run(context.db.pool, { now, leaseMs: LEASE_MS, most });
    if (rows.length === 0) return [];
    const postman = postmanOf(context.config, await instanceId(context));
    return rows.map((mail) => () => deliver(context, postman, { mail, timeoutMs }));
  } catch (error) {
    context.log.warn({ err: error }, "Due mails could not be read. They are kept.");
    return [];
  }
}
