import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";

/** As long as someone may ask about a request, and no longer: it holds who sent it. */
const REQUESTER_DAYS = 90;
const CLIENT_MINUTES = 5;

/** Forgets what was kept of requesters and clients for a time: whoever asks to be removed is not to be collected. */
export async function forgetRequesters({ db, clock }: Pick<Context, "db" | "clock">): Promise<void> {
  const nowMs = clock.now().getTime();
  await db.pool.query(
    `DELETE FROM removal_requester USING removal_request AS request
     WHERE request.id = request_id AND request.requested_at < $1`,
    [new Date(nowMs - REQUESTER_DAYS * DAY_MS)],
  );
  await db.pool.query("DELETE FROM removal_confirmation WHERE queued_at < $1", [new Date(nowMs - DAY_MS)]);
  await db.pool.query("DELETE FROM removal_client WHERE minute < $1", [
    Math.floor(nowMs / 60_000) - CLIENT_MINUTES,
  ]);
}

/** Forgets now and every hour, until the answered function is called. */
export function startForgettingRequesters(context: Context): () => Promise<void> {
  const forget = () =>
    forgetRequesters(context).catch((error) => {
      context.log.warn({ err: error }, "Requesters of removals were not forgotten yet; that is tried again.");
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
