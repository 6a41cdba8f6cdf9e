import pRetry from "p-retry";
import type { MailOutbox } from "../../generated/prisma/client.ts";
import type { Context } from "../context.ts";
import type { Letter, Postman } from "./postman.ts";

const MINUTE_MS = 60_000;
/** The waits after failed tries. A mail that fails after the last wait is given up. */
const RETRY_AFTER_MS = [1, 10, 60, 360, 1440, 1440, 1440].map((minutes) => minutes * MINUTE_MS);

/** A mail leased to this process. */
export interface ClaimedMail extends Letter {
  purpose: string;
  /** The number of this try. It fences a failure that is recorded too late. */
  attempt: number;
}

/** Sends one mail and records the outcome. Never rejects: a mail without a recorded outcome is tried again after its lease. */
export async function deliver(
  context: Context,
  postman: Postman,
  { mail, timeoutMs, isUnkept }: { mail: ClaimedMail; timeoutMs: number; isUnkept: boolean },
): Promise<void> {
  try {
    const ended = isUnkept ? { body: null, recipient: "", subject: "" } : { body: null };
    const failure = await failureToSend(postman, mail, AbortSignal.timeout(timeoutMs));
    // A sent mail is sent again unless this is recorded, so recording is tried several times.
    const record = () =>
      failure === null
        ? recordSent(context, mail, ended)
        : recordFailure(context, mail, { reason: failure, ended });
    await pRetry(record, { retries: 4, minTimeout: 500 });
  } catch (error) {
    const { id, purpose, attempt } = mail;
    context.log.error(
      { mail: id, purpose, attempt, err: error },
      "The outcome of a mail could not be recorded.",
    );
  }
}

async function failureToSend(
  postman: Postman,
  mail: ClaimedMail,
  signal: AbortSignal,
): Promise<string | null> {
  // The process died during every try. Such a mail is given up.
  if (mail.attempt > RETRY_AFTER_MS.length + 1) return "PROCESS_ENDED";
  try {
    await pRetry(() => postman(mail, signal), {
      retries: 2,
      minTimeout: 500,
      maxRetryTime: 5_000,
      // Only a short failure is tried again at once. Others wait until the mail is due again.
      shouldRetry: ({ error }) => !signal.aborted && isHiccup(error),
    });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** No matter which process holds the mail's lease now: a sent mail needs no other try. */
async function recordSent(
  { db, clock, metrics }: Context,
  { id }: ClaimedMail,
  ended: Partial<MailOutbox>,
): Promise<void> {
  await db.prisma.mailOutbox.updateMany({
    where: { id, sentAt: null },
    data: { ...ended, sentAt: clock.now(), leaseUntil: null, failedAt: null, lastError: null },
  });
  metrics.mails.inc({ outcome: "sent" });
}

/** The mail is due again later, or given up. Nothing changes if a later try has begun or the mail was erased. */
async function recordFailure(
  context: Context,
  mail: ClaimedMail,
  { reason, ended }: { reason: string; ended: Partial<MailOutbox> },
): Promise<void> {
  const { db, clock, log, metrics } = context;
  const now = clock.now();
  const retryAfterMs = RETRY_AFTER_MS[mail.attempt - 1];
  const isGivenUp = retryAfterMs === undefined;
  const next = isGivenUp
    ? { ...ended, failedAt: now }
    : { failedAt: null, dueAt: new Date(now.getTime() + retryAfterMs) };
  await db.prisma.mailOutbox.updateMany({
    where: { id: mail.id, attempts: mail.attempt, failedAt: null },
    data: { ...next, leaseUntil: null, lastError: reason },
  });
  metrics.mails.inc({ outcome: isGivenUp ? "given_up" : "not_taken" });
  const fields = { mail: mail.id, purpose: mail.purpose, attempt: mail.attempt, reason };
  if (isGivenUp) log.error(fields, "A mail was given up.");
  else log.warn({ ...fields, retryAfterMs }, "A mail was not accepted. It is tried again.");
}

/** No connection, or a server that is too busy (421). */
const isHiccup = (error: unknown): boolean =>
  /^(ECONNECTION|ESOCKET|EDNS)$/.test(codeOf(error)) ||
  (error as { responseCode?: number }).responseCode === 421;

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : (error as Error).name;
};

/** Codes only: a server's text often repeats the recipient. */
function reasonOf(error: unknown): string {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  return [codeOf(error), responseCode, command].filter(Boolean).join(" ");
}
