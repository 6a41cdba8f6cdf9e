import type { Caller } from "../accounts/keys/caller.ts";
import * as sql from "../generated/sql/events.ts";
import type { components } from "../generated/types.ts";
import { DAY_MS, dayNumber, dayOf } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { lock } from "../platform/database/transaction.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { readUsdot } from "../registry/docket.ts";
import { type EventOut, eventOut } from "./event-row.ts";
import type { EventType } from "./event-types.ts";

/** Test events that an account may make in a day (UTC). */
const MOST_A_DAY = 500;

/** The key of the advisory lock of those who make events, one after the other: ids must become visible in order. */
const MAKING_LOCK = 73_100_012;

const ACTIVE_BEFORE = { status_before: "active" };

/** What the registry would say of each type. */
const TOLD: Readonly<
  Record<EventType, Pick<sql.MakeEventParams, "sourceDataset" | "verifyMethod"> & { details: object }>
> = {
  new_authority_granted: {
    sourceDataset: "authority_history",
    verifyMethod: "registry_record",
    details: { reason: "Granted", status_before: "pending", status_after: "active" },
  },
  insurance_cancellation_suspension: {
    sourceDataset: "authority_history",
    verifyMethod: "registry_record",
    details: {
      reason: "Involuntary Suspension - insurance cancellation effective",
      ...ACTIVE_BEFORE,
      status_after: "inactive",
    },
  },
  revocation_pending: {
    sourceDataset: "revocation_suspension_notice",
    verifyMethod: "registry_record",
    details: {
      reason: "Operating Authority Involuntary Suspension Notice",
      ...ACTIVE_BEFORE,
      status_after: "active",
    },
  },
  reinstated: {
    sourceDataset: "authority_history",
    verifyMethod: "registry_record",
    details: { reason: "Reinstated", status_before: "inactive", status_after: "active" },
  },
  authority_inactive: {
    sourceDataset: "authority_snapshot",
    verifyMethod: "snapshot_comparison",
    details: { reason: "Revoked", ...ACTIVE_BEFORE, status_after: "inactive" },
  },
};

/**
 * Makes an event that only the caller's account sees, in test mode. ProblemError test_key_required, rate_limited, or not_found
 * for a company that test mode does not have.
 */
export async function makeTestEvent(
  context: Context,
  { accountId }: Pick<Caller, "accountId">,
  { type, usdot }: components["schemas"]["TestEventIn"],
): Promise<EventOut> {
  const { clock, config, live } = context;
  if (live === undefined) throw testKeyRequired();
  return context.db.transaction(async (client) => {
    await lock(client, MAKING_LOCK);
    const now = clock.now();
    const today = dayOf(now);
    const { count } = await sql.countMade(client, { accountId, since: new Date(today) });
    if (count >= MOST_A_DAY) throw tooMany(now);
    await sql.forgetMade(client, {
      accountId,
      before: new Date(now.getTime() - config.retentionDays.events * DAY_MS),
    });
    const { details, ...told } = TOLD[type];
    const made = await sql.makeEvent(client, {
      accountId,
      type,
      usdot: readUsdot(usdot) ?? 0,
      now,
      ...told,
      details: JSON.stringify(details),
    });
    if (made === undefined) throw noSuchCompany(usdot);
    return eventOut(made);
  });
}

const testKeyRequired = (): ProblemError =>
  new ProblemError(
    "test_key_required",
    "Test events are made with a test key, which begins with tdf_test_. Make one in the dashboard.",
  );

const noSuchCompany = (usdot: string): ProblemError =>
  new ProblemError(
    "not_found",
    `Test mode has no company with USDOT number ${usdot}. Its companies are those of the guide "Test mode".`,
  );

function tooMany(now: Date): ProblemError {
  const midnightMs = (dayNumber(dayOf(now)) + 1) * DAY_MS;
  return new ProblemError(
    "rate_limited",
    `An account may make ${MOST_A_DAY} test events a day (UTC). Go on after midnight.`,
    { retryAfterSeconds: Math.ceil((midnightMs - now.getTime()) / 1000) },
  );
}
