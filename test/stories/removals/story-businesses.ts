// What is known of the businesses of the story: their events, changes, connections and deliveries.
import { updateSharedValues } from "../../../src/carriers/connections/shared-values.ts";
import type { TestService } from "../../support/service.ts";
import { putDelivery, putResult } from "../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import type { Business } from "./businesses.ts";
import { putConnections, STORY_CHANGES } from "./connected-paths.ts";

export const NOW = "2026-11-20T18:00:00Z";

/** Registers an endpoint for one business, with a delivery of its event that was accepted. */
export async function delivered(
  { context }: TestService,
  accountId: number,
  { usdot }: Business,
  eventId: number,
): Promise<{ endpointId: number; deliveryId: number }> {
  const { id: endpointId } = await registerEndpoint(context, accountId, {
    filters: { usdots: [String(usdot)] },
  });
  // Events that come later are not sent: the service does not deliver to this machine.
  await context.db.pool.query("UPDATE webhook_endpoint SET url = 'https://127.0.0.1:9' WHERE id = $1", [
    endpointId,
  ]);
  const deliveryId = await putDelivery(context, { endpointId, eventId });
  // Before a replay begins, which sends it again.
  const endedAt = new Date(Date.parse(NOW) - 60_000);
  await putResult(context, deliveryId, { outcome: "delivered", endedAt });
  return { endpointId, deliveryId };
}

/** The businesses that are no person: only these have connections. */
export async function companiesAmong(
  { context }: TestService,
  businesses: readonly Business[],
): Promise<readonly number[]> {
  const { rows } = await context.db.pool.query<{ usdot: number }>(
    "SELECT usdot FROM census WHERE NOT is_individual AND usdot = ANY ($1::int[])",
    [businesses.map(({ usdot }) => usdot)],
  );
  return rows.map(({ usdot }) => usdot);
}

/** Has another business name each one that is no person as its predecessor. */
export async function connected(
  { context }: TestService,
  businesses: readonly Business[],
  companies: readonly number[],
): Promise<(Business & { connectedWith?: number | undefined })[]> {
  const { pool } = context.db;
  const others = companies.filter((usdot) => businesses.every((business) => business.usdot !== usdot));
  const found: (Business & { connectedWith?: number | undefined })[] = businesses.map((business) =>
    companies.includes(business.usdot) ? { ...business, connectedWith: others.pop() } : business,
  );
  const pairs = found.flatMap(({ usdot, connectedWith }) =>
    connectedWith === undefined ? [] : [{ usdot, other: connectedWith }],
  );
  for (const { usdot, other } of pairs)
    await pool.query("UPDATE census SET prior_usdot = $1 WHERE usdot = $2", [usdot, other]);
  await pool.query("DELETE FROM shared_value_index");
  await updateSharedValues(context);
  await putConnections(context, pairs, NOW);
  return found;
}

/** Records a change of each business. */
export async function putChanges({ context }: TestService, businesses: readonly Business[]): Promise<void> {
  await context.db.pool.query(
    `INSERT INTO carrier_change (id, usdot, category, field, old_value, new_value, as_of, seen_at, source)
     SELECT $3::int + index, usdot, 'fleet', 'power_units', '1', '2', $2::date, $2, 'census'
     FROM unnest($1::int[]) WITH ORDINALITY AS business (usdot, index)`,
    [businesses.map(({ usdot }) => usdot), new Date(NOW), STORY_CHANGES],
  );
}

/**
 * Some businesses: the first of them is read in every way, since it is a company with a docket, is in the version before
 * too, and changed since.
 */
export function chooseFrom(
  businesses: readonly Business[],
  companies: readonly number[],
  count: number,
): Business[] {
  const whole = businesses.find(
    ({ usdot, docket, replaced, changedSince }) =>
      companies.includes(usdot) && docket !== null && replaced !== null && changedSince !== null,
  );
  if (whole === undefined) throw new Error("no company of both versions changed between them");
  return [whole, ...businesses.filter((business) => business !== whole)].slice(0, count);
}
