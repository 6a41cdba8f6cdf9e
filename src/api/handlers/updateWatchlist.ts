import type { Handler } from "../../generated/operations.ts";
import { updateList } from "../../watchlists/watchlists.ts";

export const updateWatchlist: Handler<"updateWatchlist"> = async (
  { caller, path, body: change },
  context,
) => {
  const body = await updateList(context, caller.accountId, path.watchlist_id, change);
  return { status: 200, body };
};
