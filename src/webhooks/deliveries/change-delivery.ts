import * as sql from "../../generated/sql/webhooks/deliveries.ts";
import type { components } from "../../generated/types.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { type ChangeRow, changeOut } from "../../watchlists/carrier-change.ts";
import type { Payload } from "../endpoints/filters.ts";

/** The change's id as receivers see it: no event and no correction has such an id. */
export const deliveredChangeId = (changeId: number): string => `chg_${changeId}`;

/** The bytes to send for a change of a watched carrier, to endpoints of each payload. */
function changeBodiesOf(change: ChangeRow, publicUrl: string): Readonly<Record<Payload, string>> {
  const head = {
    id: deliveredChangeId(change.id),
    type: "carrier_change",
    created: change.seen_at.toISOString(),
  } as const;
  const full: components["schemas"]["ChangeDeliveryBody"] = { ...head, data: { change: changeOut(change) } };
  const changes_url = `${publicUrl}/v1/carrier-changes?usdot=${change.usdot}`;
  const thin: components["schemas"]["ThinChangeDeliveryBody"] = { ...head, data: { changes_url } };
  return { full: JSON.stringify(full), thin: JSON.stringify(thin) };
}

/** What decides about the delivery of a change, and its body. */
export interface ChangeState {
  bodies: Readonly<Record<Payload, string>>;
  /** Whether the carrier is on a list of the endpoint's account. */
  isWatched: boolean;
  /** Whether the account's plan has the carrier's state. */
  isInPlan: boolean;
}

/** The states of deliveries of changes, by delivery. None of one whose change may not be shown. */
export async function readChangeStates(
  client: Queryable,
  deliveries: readonly { id: number; endpointId: number; changeId: number }[],
  publicUrl: string,
): Promise<Map<number, ChangeState>> {
  const rows = await sql.changesOf(client, {
    deliveryIds: deliveries.map(({ id }) => id),
    endpointIds: deliveries.map(({ endpointId }) => endpointId),
    changeIds: deliveries.map(({ changeId }) => changeId),
  });
  return new Map(
    rows.map(({ deliveryId, isWatched, isInPlan, ...change }) => [
      deliveryId,
      { bodies: changeBodiesOf(change, publicUrl), isWatched, isInPlan },
    ]),
  );
}
