import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import * as sql from "./statements.ts";

/** How long the sender of a request is known; questions about the request come within this time. */
const REQUESTER_DAYS = 90;
const CLIENT_MINUTES = 5;

/** Deletes data about requesters and clients that is older than its limit. */
export async function forgetRequesters({ db, clock }: Pick<Context, "db" | "clock">): Promise<void> {
  const nowMs = clock.now().getTime();
  await sql.forgetRequesters.run(db.pool, { before: new Date(nowMs - REQUESTER_DAYS * DAY_MS) });
  await sql.forgetConfirmations.run(db.pool, { before: new Date(nowMs - DAY_MS) });
  await sql.forgetClients.run(db.pool, { beforeMinute: Math.floor(nowMs / 60_000) - CLIENT_MINUTES });
}

/** Deletes now and every hour, until the returned function is called. */
export function startForgettingRequesters(context: Context): () => Promise<void> {
  const forget = () =>
    forgetRequesters(context).catch((error) => {
      context.log.warn(
        { err: error },
        "Old data about requesters of removals could not be deleted; the next try is within an hour.",
      );
    });
  let forgetting = forget();
  const timer = setInterval(() => {
    forgetting = forgetting.then(forget);
  }, HOUR_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await forgetting;
  };
}
