import type { Handler } from "../../generated/operations.ts";
import { listCarriers } from "../../watchlists/watched-carriers.ts";

export const listWatchedCarriers: Handler<"listWatchedCarriers"> = async (
  { caller, path, query },
  context,
) => {
  const body = await listCarriers(context, { caller, watchlistId: path.watchlist_id }, query);
  return { status: 200, body };
};
