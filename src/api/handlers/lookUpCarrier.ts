import { lookUpFeedRecords } from "../../carriers/carrier-lookup.ts";
import { newestEvents } from "../../events/newest.ts";
import type { Handler } from "../../generated/operations.ts";

export const lookUpCarrier: Handler<"lookUpCarrier"> = async ({ caller, path }, context) => {
  const carrier = await lookUpFeedRecords(context, caller, path.dot);
  const events = await newestEvents(context, caller, path.dot);
  return { status: 200, body: { ...carrier, events } };
};
