import type { Handler } from "../../generated/operations.ts";
import { removeCarriers } from "../../watchlists/watched-carriers.ts";

export const removeWatchedCarriers: Handler<"removeWatchedCarriers"> = async (
  { caller, path, body: numbers },
  context,
) => {
  const body = await removeCarriers(context, { caller, watchlistId: path.watchlist_id }, numbers);
  return { status: 200, body };
};
