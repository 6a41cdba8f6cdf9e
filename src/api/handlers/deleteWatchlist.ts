import type { Handler } from "../../generated/operations.ts";
import { deleteList } from "../../watchlists/watchlists.ts";

export const deleteWatchlist: Handler<"deleteWatchlist"> = async ({ caller, path }, context) => {
  await deleteList(context, caller.accountId, path.watchlist_id);
  return { status: 204, body: null };
};
