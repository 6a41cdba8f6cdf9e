import { searchCarriers as carriersLike } from "../../carriers/search.ts";
import type { Handler } from "../../generated/operations.ts";

export const searchCarriers: Handler<"searchCarriers"> = async ({ caller, query }, context) => {
  const body = await carriersLike(context, caller, query);
  return { status: 200, body };
};
