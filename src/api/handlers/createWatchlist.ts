import type { Handler } from "../../generated/operations.ts";
import { createList } from "../../watchlists/watchlists.ts";

export const createWatchlist: Handler<"createWatchlist"> = async ({ caller, body: asked }, context) => {
  const body = await createList(context, caller.accountId, asked, caller);
  return { status: 201, body };
};
