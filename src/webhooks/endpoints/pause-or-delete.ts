import { endAccount, eraseUsage } from "../../accounts/account-life.ts";
import { lockAccount } from "../../accounts/accounts.ts";
import { type Maker, recordAction } from "../../accounts/people/account-log.ts";
import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { endWatching } from "../../watchlists/watchlists.ts";
import { cancelQueued } from "../queue/cancel-queued.ts";
import { noSuchEndpoint } from "./endpoints.ts";

/** Why an endpoint is paused: the values of `disabled_reason`. */
export const PAUSE_REASONS = [
  "paused_by_customer",
  "too_many_failures",
  "plan_changed",
  "paused_by_operator",
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/**
 * Pauses an endpoint and cancels its queued deliveries, except tests, in the caller's transaction. Returns false and
 * changes nothing when it was paused already.
 */
export async function pauseEndpoint(
  client: Queryable,
  { endpointId, reason, now }: { endpointId: number; reason: PauseReason; now: Date },
): Promise<boolean> {
  const rowCount = await sql.pauseEndpoint(client, { endpointId, reason, now });
  if (rowCount === 0) return false;
  const cancelReason = reason === "plan_changed" ? "plan_changed" : "paused";
  await cancelQueued(client, { endpointId, reason: cancelReason, now });
  return true;
}

/** Pauses an endpoint for its account; pausing it again changes nothing. ProblemError not_found. */
export async function pauseByCustomer(
  context: Context,
  accountId: number,
  endpointId: number,
  { person }: Maker = {},
): Promise<void> {
  await context.db.transaction(async (client) => {
    const rowCount = await sql.findOwn(client, { endpointId, accountId });
    if (rowCount === 0) throw noSuchEndpoint();
    const now = context.clock.now();
    if (!(await pauseEndpoint(client, { endpointId, reason: "paused_by_customer", now }))) return;
    await recordAction(
      client,
      { accountId, person },
      { action: "endpoint_paused", subject: endpointId, now },
    );
  });
}

/** Pauses any account's endpoint until an operator enables it. Returns false when there is none. */
export async function pauseByOperator(context: Context, endpointId: number): Promise<boolean> {
  return context.db.transaction(async (client) => {
    if ((await sql.findOwner(client, { endpointId })) === undefined) return false;
    await pauseEndpoint(client, { endpointId, reason: "paused_by_operator", now: context.clock.now() });
    return true;
  });
}

/**
 * Closes an account for ever: its keys, sessions, endpoints and watchlists end. `erases`: its name, address, keys and usage are erased
 * too. After the commit no request of it is admitted and no attempt starts. OperatorError when there is no open account.
 */
export async function closeAccount(
  context: Context,
  accountId: number,
  { erases }: { erases: boolean },
): Promise<{ keys: number; endpoints: number }> {
  const now = context.clock.now();
  const ended = await context.db.transaction((client) => endWhole(client, { accountId, erases, now }));
  // On its own: all accounts' counts wait for it.
  if (erases) await eraseUsage(context, accountId);
  return ended;
}

/** Ends an account as `endAccount` does, and its endpoints and watchlists, in the caller's transaction. */
export async function endWhole(
  client: Queryable,
  { accountId, erases, now }: Parameters<typeof endAccount>[1],
): Promise<{ keys: number; endpoints: number }> {
  const keys = await endAccount(client, { accountId, erases, now });
  const endpoints = await sql.deleteEndpointsOf(client, { accountId, now });
  for (const { id: endpointId } of endpoints)
    await cancelQueued(client, { endpointId, reason: "deleted", now });
  await endWatching(client, accountId);
  return { keys, endpoints: endpoints.length };
}

/**
 * Deletes an endpoint with its secret and history. After the commit no attempt starts, not even a test, and nobody finds
 * the endpoint or its deliveries. Attempts in flight still end. A dispatcher erases the rows later. ProblemError not_found.
 */
export async function deleteEndpoint(
  context: Context,
  accountId: number,
  endpointId: number,
  { person }: Maker = {},
): Promise<void> {
  await context.db.transaction(async (client) => {
    // Queueing a test and enabling take this lock too: they end before, or find no endpoint.
    await lockAccount(client, accountId);
    const now = context.clock.now();
    const rowCount = await sql.deleteEndpoint(client, { endpointId, accountId, now });
    if (rowCount === 0) throw noSuchEndpoint();
    await cancelQueued(client, { endpointId, reason: "deleted", now });
    await recordAction(
      client,
      { accountId, person },
      { action: "endpoint_deleted", subject: endpointId, now },
    );
  });
}

/** Pauses an endpoint for its account, or deletes it with its secret and history. ProblemError not_found. */
export async function endEndpoint(
  context: Context,
  accountId: number,
  { endpointId, isPermanent }: { endpointId: number; isPermanent: boolean },
): Promise<void> {
  const end = isPermanent ? deleteEndpoint : pauseByCustomer;
  await end(context, accountId, endpointId);
}
