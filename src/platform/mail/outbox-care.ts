import { DAY_MS } from "../clock.ts";
import type { Context } from "../context.ts";
import { outboxState } from "./outbox.ts";
import * as sql from "./statements.ts";

const EVERY_MS = 15_000;
/** Sent and given-up mails hold a recipient, so they are deleted once nobody will ask about them. */
const REMEMBERED_DAYS = 90;

/** Updates the metric of waiting mails and deletes old ones, until the returned function is called. */
export function startOutboxCare(context: Context): () => Promise<void> {
  let caring = careFor(context);
  const timer = setInterval(() => {
    caring = caring.then(() => careFor(context));
  }, EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await caring;
  };
}

async function careFor(context: Context): Promise<void> {
  const { db, clock, log, metrics } = context;
  try {
    const before = new Date(clock.now().getTime() - REMEMBERED_DAYS * DAY_MS);
    await sql.forgetMails.run(db.pool, { before });
    const { waiting } = await outboxState(context);
    metrics.mailsWaiting.set(waiting);
  } catch (error) {
    log.warn({ err: error }, "The outbox could not be maintained. Trying again.");
  }
}
