import type { Handler } from "../../generated/operations.ts";
import { readList } from "../../watchlists/watchlists.ts";

export const readWatchlist: Handler<"readWatchlist"> = async ({ caller, path }, context) => {
  const body = await readList(context, caller.accountId, path.watchlist_id);
  return { status: 200, body };
};
