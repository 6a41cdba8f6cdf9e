import { setTimeout as wait } from "node:timers/promises";
import pRetry from "p-retry";
import type { Context } from "../context.ts";
import { instanceId } from "../installation.ts";
import { loadSql } from "../sql.ts";
import { type Letter, type Postman, postmanOf } from "./postman.ts";

const CLAIM_SQL = loadSql(import.meta.url, "claim.sql");

const POLL_EVERY_MS = 1_000;
/** How many mails are on their way at once. */
const AT_ONCE = 5;
/** The longest that one try of a mail may take, its short repeats included. */
const TRY_TIMEOUT_MS = 30_000;
/** Longer than a try: a mail whose process died is taken over after it. */
const LEASE_MS = 60_000;

const MINUTE_MS = 60_000;
/** How long after each failed try the next one is due. The first failure beyond the list gives the mail up. */
const RETRY_AFTER_MS = [1, 10, 60, 360, 1440, 1440, 1440].map((minutes) => minutes * MINUTE_MS);

export interface Mailer {
  /** Claims nothing more and waits for the mails on their way. */
  stop(): Promise<void>;
}

interface Claimed extends Letter {
  purpose: string;
  /** Number of this try; what a late writer is fenced by. */
  attempt: number;
}

/** Sends queued mails as they become due, beside any number of processes that do the same. */
export function startMailer(context: Context): Mailer {
  const stopping = new AbortController();
  const running = run(context, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function run(context: Context, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const sent = await sendDueMails(context).catch((error) => {
      context.log.warn({ err: error }, "Mails could not be looked for; they are kept.");
      return 0;
    });
    if (sent < AT_ONCE) await wait(POLL_EVERY_MS, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Sends the mails that are due, at most five; gives how many it tried. */
export async function sendDueMails(context: Context): Promise<number> {
  const { rows: claimed } = await context.db.pool.query<Claimed>(CLAIM_SQL, [
    ...[context.clock.now(), LEASE_MS, AT_ONCE, RETRY_AFTER_MS.length + 1],
  ]);
  if (claimed.length === 0) return 0;
  const postman = postmanOf(context.config, await instanceId(context));
  await Promise.all(claimed.map((mail) => sendOne(context, postman, mail)));
  return claimed.length;
}

async function sendOne(context: Context, postman: Postman, mail: Claimed): Promise<void> {
  const signal = AbortSignal.timeout(TRY_TIMEOUT_MS);
  try {
    // Only what a moment's waiting may cure; the rest waits for its next due time.
    await pRetry(() => postman(mail, signal), {
      ...{ retries: 2, minTimeout: 500, maxRetryTime: 5_000 },
      shouldRetry: ({ error }) => !signal.aborted && /^(ECONNECTION|ESOCKET|EDNS)$/.test(codeOf(error)),
    });
  } catch (error) {
    await recordFailure(context, mail, error);
    return;
  }
  await context.db.pool.query(
    "UPDATE mail_outbox SET sent_at = $3, lease_until = NULL, body = NULL, last_error = NULL WHERE id = $1 AND attempts = $2",
    [mail.id, mail.attempt, context.clock.now()],
  );
}

async function recordFailure(context: Context, mail: Claimed, error: unknown): Promise<void> {
  const reason = reasonOf(error);
  const now = context.clock.now();
  const retryAfterMs = RETRY_AFTER_MS[mail.attempt - 1];
  await context.db.pool.query(
    `UPDATE mail_outbox SET lease_until = NULL, last_error = $3, due_at = coalesce($4, due_at), failed_at = $5
     WHERE id = $1 AND attempts = $2`,
    [
      ...[mail.id, mail.attempt, reason],
      ...(retryAfterMs === undefined ? [null, now] : [new Date(now.getTime() + retryAfterMs), null]),
    ],
  );
  const fields = { mail: mail.id, purpose: mail.purpose, attempt: mail.attempt, reason };
  if (retryAfterMs === undefined) context.log.error(fields, "A mail was given up.");
  else context.log.warn({ ...fields, retryAfterMs }, "A mail was not taken; it is tried again.");
}

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : (error as Error).name;
};

/** Codes alone: what a server says in words often repeats the recipient. */
function reasonOf(error: unknown): string {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  return [codeOf(error), responseCode, command].filter(Boolean).join(" ");
}
