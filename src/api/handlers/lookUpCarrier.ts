import { lookUpCarrier as carrierOf } from "../../carriers/carrier-lookup.ts";
import type { Handler } from "../../generated/operations.ts";

export const lookUpCarrier: Handler<"lookUpCarrier"> = async ({ caller, path }, context) => {
  const body = await carrierOf(context, caller, path.dot);
  return { status: 200, body };
};
