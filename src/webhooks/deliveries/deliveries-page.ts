import type { EventType } from "../../events/event-types.ts";
import { instantMs } from "../../events/rfc3339.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { type Fault, InvalidRequestError } from "../../platform/http/invalid-request.ts";
import { noSuchEndpoint } from "../endpoints/endpoints.ts";
import { type DeliveryStatus, listDeliveries } from "./delivery-history.ts";
import { deliveryOut } from "./delivery-out.ts";

/** The query of a list of deliveries; the contract has checked its shape. */
export interface DeliveriesQuery {
  status?: DeliveryStatus;
  type?: EventType | "test";
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
  const deliveries = await listDeliveries(context, {
    endpointId,
    accountId,
    // One more than asked for, to find out whether there are older ones.
    limit: limit + 1,
    ...(status && { status }),
    ...(type && { type }),
    ...positionsOf(query),
  });
  if (deliveries === null) throw noSuchEndpoint();
  const shown = deliveries.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map((delivery) => deliveryOut(endpointId, delivery)),
    next_cursor: deliveries.length > limit && last ? cursorOf(last.id) : null,
    meta: { endpoint_id: endpointId },
  };
}

function positionsOf({ from, to, cursor }: DeliveriesQuery): { from?: Date; to?: Date; before?: number } {
  const faults: Fault[] = [];
  const instant = (name: "from" | "to", text: string | undefined) => {
    const ms = text === undefined ? null : instantMs(text);
    if (text !== undefined && ms === null) faults.push(invalidTime(name));
    return ms === null ? {} : { [name]: new Date(ms) };
  };
  const range = { ...instant("from", from), ...instant("to", to) };
  const before = cursor === undefined ? undefined : idOf(cursor);
  if (before === null) faults.push(FOREIGN_CURSOR);
  if (faults.length > 0) throw new InvalidRequestError(faults);
  return { ...range, ...(before && { before }) };
}

const invalidTime = (name: string): Fault => ({
  loc: ["query", name],
  msg: "must be a time like 2026-11-21T08:00:00Z",
  type: "format",
});

const FOREIGN_CURSOR: Fault = {
  loc: ["query", "cursor"],
  msg: "must be next_cursor of an earlier answer for this endpoint",
  type: "unknown_cursor",
};

const CURSOR = /^dl1\.([1-9]\d{0,15})$/;

const cursorOf = (deliveryId: number): string => Buffer.from(`dl1.${deliveryId}`).toString("base64url");

/** The delivery that a cursor names; null for any other text. */
function idOf(cursor: string): number | null {
  const digits = CURSOR.exec(Buffer.from(cursor, "base64url").toString("latin1"))?.[1];
  return digits !== undefined && cursorOf(Number(digits)) === cursor ? Number(digits) : null;
}
