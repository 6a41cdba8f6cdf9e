import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { openCursor, sealCursor } from "../../platform/http/cursor.ts";
import {
  type Fault,
  InvalidRequestError,
  invalidTime,
  unknownCursor,
} from "../../platform/http/invalid-request.ts";
import { instantMs } from "../../platform/rfc3339.ts";
import { cursorOwner, noSuchEndpoint } from "../endpoints/endpoints.ts";
import { type DeliveryStatus, type DeliveryType, deliveryOut, listDeliveries } from "./delivery-history.ts";

/** The query of a list of deliveries; the contract has checked its shape. */
export interface DeliveriesQuery {
  status?: DeliveryStatus;
  type?: DeliveryType;
  from?: string;
  to?: string;
  limit: number;
  cursor?: string;
}

/** A page of an endpoint's deliveries, the newest first. InvalidRequestError; ProblemError not_found. */
export async function readDeliveries(
  context: Context,
  accountId: number,
  endpointId: number,
  query: DeliveriesQuery,
): Promise<components["schemas"]["DeliveriesOut"]> {
  const { status, type, limit } = query;
  const owner = await cursorOwner(context, accountId, endpointId);
  const deliveries = await listDeliveries(context, {
    endpointId,
    accountId,
    // One more than asked for, to find out whether there are older ones.
    limit: limit + 1,
    ...(status && { status }),
    ...(type && { type }),
    ...positionsOf(owner, query),
  });
  if (deliveries === null) throw noSuchEndpoint();
  const shown = deliveries.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map((delivery) => deliveryOut(endpointId, delivery)),
    next_cursor: deliveries.length > limit && last ? sealCursor(CURSOR_FORM, owner, [last.id]) : null,
    meta: { endpoint_id: endpointId },
  };
}

function positionsOf(
  owner: string,
  { from, to, cursor }: DeliveriesQuery,
): { from?: Date; to?: Date; before?: number } {
  const faults: Fault[] = [];
  const instant = (name: "from" | "to", text: string | undefined) => {
    const ms = text === undefined ? null : instantMs(text);
    if (text !== undefined && ms === null) faults.push(invalidTime("query", name));
    return ms === null ? {} : { [name]: new Date(ms) };
  };
  const range = { ...instant("from", from), ...instant("to", to) };
  const before = cursor === undefined ? undefined : idOf(owner, cursor);
  if (before === null) faults.push(FOREIGN_CURSOR);
  if (faults.length > 0) throw new InvalidRequestError(faults);
  return { ...range, ...(before && { before }) };
}

const FOREIGN_CURSOR = unknownCursor("must be next_cursor of an earlier answer for this endpoint");

const CURSOR_FORM = "dl1";

/** The delivery that a cursor of this owner names; null for any other text. */
function idOf(owner: string, cursor: string): number | null {
  const [digits] = openCursor(CURSOR_FORM, owner, cursor) ?? [];
  return digits === undefined ? null : Number(digits);
}
