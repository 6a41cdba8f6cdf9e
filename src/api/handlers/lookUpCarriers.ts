import { lookUpCarriers as carriersOf } from "../../carriers/bulk-lookup.ts";
import type { Handler } from "../../generated/operations.ts";

export const lookUpCarriers: Handler<"lookUpCarriers"> = async ({ caller, body: asked }, context) => {
  const body = await carriersOf(context, caller, asked);
  return { status: 200, body };
};
