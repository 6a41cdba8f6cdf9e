// The ways in which a customer who watches a business reads it over HTTP.
import type { components } from "../../../src/generated/types.ts";
import type { Context } from "../../../src/platform/context.ts";
import { putResult } from "../../support/webhooks/deliveries.ts";
import { answered } from "./patient-requests.ts";

type Schemas = components["schemas"];

const SINCE = "2026-11-01T00:00:00Z";

/** A delivery of a change of the business, that was sent. */
export interface DeliveredChange {
  endpointId: number;
  deliveryId: number;
}

/** Delivers the newest change of the business to an endpoint, as a dispatcher would. */
export async function deliveredChange(
  context: Context,
  endpointId: number,
  usdot: number,
): Promise<DeliveredChange> {
  const { rows } = await context.db.pool.query<{ id: number }>(
    `INSERT INTO webhook_delivery (endpoint_id, account_id, change_id, event_type, created_at)
     SELECT id, account_id, (SELECT max(id) FROM carrier_change WHERE usdot = $2), 'carrier_change', $3
     FROM webhook_endpoint WHERE id = $1 RETURNING id`,
    [endpointId, usdot, context.clock.now()],
  );
  const deliveryId = rows[0]?.id ?? 0;
  await putResult(context, deliveryId, { outcome: "delivered" });
  return { endpointId, deliveryId };
}

/** Puts the business on a list of its own, and returns the ways by name, each with whether it shows the business now. */
export async function watchedPaths(
  {
    url,
    key,
    change,
    alsoWatched,
  }: { url: string; key: string; change?: DeliveredChange | undefined; alsoWatched?: number | undefined },
  dot: string,
): Promise<Record<string, () => Promise<boolean>>> {
  const ask = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { "Content-Type": "application/json", "X-API-Key": key };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await (await answered(`${url}/v1/${path}`, sent)).json()) as Answer;
  };
  const { id } = await ask<Schemas["WatchlistOut"]>("POST", "watchlists", { name: `Only ${dot}` });
  if (alsoWatched !== undefined) {
    const beside = await ask<Schemas["WatchlistOut"]>("POST", "watchlists", { name: `Beside ${dot}` });
    await ask("POST", `watchlists/${beside.id}/carriers`, { usdots: [String(alsoWatched)] });
  }
  const numbers = { usdots: [dot] };
  await ask("POST", `watchlists/${id}/carriers`, numbers);
  const has = ({ data }: { data: { usdot: string }[] }) => data.some(({ usdot }) => usdot === dot);
  return {
    "a watchlist": async () => (await ask<Schemas["WatchlistOut"]>("GET", `watchlists/${id}`)).carriers > 0,
    "carriers of a watchlist": async () => has(await ask("GET", `watchlists/${id}/carriers`)),
    "what is watched again": async () =>
      (await ask<Schemas["WatchedCarriersChanged"]>("POST", `watchlists/${id}/carriers`, numbers)).already >
      0,
    "changes of watched carriers": async () =>
      has(await ask("GET", `carrier-changes?since=${SINCE}&watchlist=${id}`)),
    ...(change && {
      "a delivery of its change": async () => {
        const path = `webhooks/${change.endpointId}/deliveries/${change.deliveryId}`;
        return (await ask<Schemas["DeliveryDetailOut"]>("GET", path)).body !== null;
      },
    }),
    "events of a watchlist": async () => has(await ask("GET", `events?since=${SINCE}&watchlist=${id}`)),
  };
}
