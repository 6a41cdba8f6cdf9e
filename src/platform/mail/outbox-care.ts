import type { Context } from "../context.ts";
import { outboxState } from "./outbox.ts";

const EVERY_MS = 15_000;

/** Updates the metric of waiting mails until the returned function is called. */
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
  const { log, metrics } = context;
  try {
    const { waiting } = await outboxState(context);
    metrics.mailsWaiting.set(waiting);
  } catch (error) {
    log.warn({ err: error }, "The waiting mails could not be counted. Trying again.");
  }
}
