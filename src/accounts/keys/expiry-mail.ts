// Mails to an account before one of its keys ends, and when it has ended: each once, whatever the number of processes.
import * as sql from "../../generated/sql/accounts/keys.ts";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { keepTrying } from "../../platform/database/keep-trying.ts";
import { mailOwners } from "../people/owner-mail.ts";
import { keyPrefix } from "./key-format.ts";
import { dueDays, TELL_AT_DAYS } from "./make-key.ts";

const LOOK_EVERY_MS = 60_000;

/** Queues the mails that are due, until the returned function is called. */
export const keepTellingOfEnds = (context: Context): (() => Promise<void>) =>
  keepTrying(context, LOOK_EVERY_MS, {
    work: () => tellOfEnds(context),
    failure: "Mails about keys that end could not be queued. Trying again.",
  });

/** Queues the mails that are due and that no process has queued yet. A mail that was missed is left out for the next one. */
export async function tellOfEnds(context: Context): Promise<void> {
  const { clock, db } = context;
  const now = clock.now();
  const keys = await sql.keysNearEnd(db.pool, {
    before: new Date(now.getTime() + TELL_AT_DAYS[0] * DAY_MS),
  });
  for (const key of keys) {
    const days = dueDays(key.expiresAt, now);
    if (days === null || (key.toldDays !== null && key.toldDays <= days)) continue;
    await db.transaction(async (client) => {
      if ((await sql.tellOfEnd(client, { id: key.id, days })) === 0) return;
      await mailOwners(client, key.accountId, { purpose: "key_expiry", now, ...mailOf(context, key, days) });
    });
  }
}

function mailOf({ config }: Context, { id, name, expiresAt }: sql.KeysNearEndRow, days: number) {
  const at = `${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const key = `The API key "${name}" (${keyPrefix(id)}_…)`;
  const next = `Make a new one and change your program over: ${config.publicUrl}/dashboard/keys`;
  if (days === 0)
    return {
      subject: "An API key has ended",
      body: `${key} ended on ${at}. Requests with it get 401 expired_api_key.\n\n${next}\n`,
    };
  return {
    subject: `An API key ends in ${days} days or less`,
    body: `${key} ends on ${at}. From then on, requests with it get 401 expired_api_key.\n\n${next}\n`,
  };
}
