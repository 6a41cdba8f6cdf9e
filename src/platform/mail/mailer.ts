import { setTimeout as wait } from "node:timers/promises";
import * as sql from "../../generated/sql/platform/mail.ts";
import type { Context } from "../context.ts";
import { instanceId } from "../installation/installation.ts";
import { repeatEvery } from "../repeat.ts";
import { type ClaimedMail, deliver } from "./deliver.ts";
import { outboxState } from "./outbox.ts";
import type { Letter, Postman } from "./postman.ts";

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

/**
 * Makes the text of a mail from its queued body at each try, for a purpose whose mails must not tell tomorrow what may not be
 * told any more. Null: nothing of it is left, so nothing is sent.
 */
export type Composer = (context: Context, body: string) => Promise<Pick<Letter, "subject" | "body"> | null>;

interface Options {
  pollEveryMs: number;
  tryTimeoutMs: number;
  /** By purpose; the mails of other purposes are sent as they were queued. */
  composers: Readonly<Record<string, Composer>>;
  /** Purposes whose mails lose their recipient and subject once they are sent or given up. */
  unkept: readonly string[];
}

const SHIPPED: Options = {
  pollEveryMs: POLL_EVERY_MS,
  tryTimeoutMs: TRY_TIMEOUT_MS,
  composers: {},
  unkept: [],
};

/** Sends queued mails when they are due. Any number of processes may do so. */
export function startMailer(context: Context, options: Partial<Options> = {}): Mailer {
  const stopping = new AbortController();
  const running = run(context, { ...SHIPPED, ...options }, stopping.signal);
  const stopCounting = startCounting(context);
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await stopCounting();
    },
  };
}

async function run(context: Context, options: Options, stopping: AbortSignal): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  while (!stopping.aborted) {
    const capacity = AT_ONCE - inFlight.size;
    const claimed = await claim(context, capacity, options);
    for (const send of claimed) {
      const sending = send().finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    }
    if (claimed.length === capacity) await Promise.race(inFlight);
    else await wait(options.pollEveryMs, undefined, { signal: stopping }).catch(() => {});
  }
  await Promise.all(inFlight);
}

/** Leases at most `most` due mails. Each returned function sends one and never rejects. */
async function claim(
  context: Context,
  most: number,
  { tryTimeoutMs: timeoutMs, composers, unkept }: Options,
): Promise<(() => Promise<void>)[]> {
  try {
    const now = context.clock.now();
    const rows = await sql.claimMails(context.db.pool, { now, leaseMs: LEASE_MS, most });
    if (rows.length === 0) return [];
    // Loaded with the first mail: its library takes 4 MB.
    const { postmanOf } = await import("./postman.ts");
    const postman = postmanOf(context.config, await instanceId(context));
    return rows.map((mail) => () => {
      const compose = composers[mail.purpose];
      const send = compose === undefined ? postman : composing(context, { mail, compose, postman });
      return deliver(context, send, { mail, timeoutMs, isUnkept: unkept.includes(mail.purpose) });
    });
  } catch (error) {
    context.log.warn({ err: error }, "Due mails could not be read. They are kept.");
    return [];
  }
}

const composing =
  (
    context: Context,
    { mail, compose, postman }: { mail: ClaimedMail; compose: Composer; postman: Postman },
  ): Postman =>
  async (letter, signal) => {
    const text = await compose(context, mail.body);
    if (text !== null) await postman({ ...letter, ...text }, signal);
  };

const COUNT_EVERY_MS = 15_000;

/** Updates the metric of waiting mails until the returned function is called. */
const startCounting = (context: Context): (() => Promise<void>) =>
  repeatEvery(COUNT_EVERY_MS, () => countWaiting(context));

async function countWaiting(context: Context): Promise<void> {
  try {
    const { waiting, waiting_since: since, failed } = await outboxState(context);
    const { mailsWaiting, mailsOldestWaitingSeconds, mailsFailed } = context.metrics;
    const waitedMs = since === null ? 0 : context.clock.now().getTime() - Date.parse(since);
    mailsWaiting.set(waiting);
    mailsOldestWaitingSeconds.set(Math.max(0, waitedMs / 1000));
    mailsFailed.set(failed);
  } catch (error) {
    context.log.warn({ err: error }, "The waiting mails could not be counted. Trying again.");
  }
}
