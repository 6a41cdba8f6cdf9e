import type { Handler } from "../../generated/operations.ts";
import { addCarriers } from "../../watchlists/watched-carriers.ts";

export const addWatchedCarriers: Handler<"addWatchedCarriers"> = async (
  { caller, path, body: numbers },
  context,
) => {
  const body = await addCarriers(context, { caller, watchlistId: path.watchlist_id }, numbers);
  return { status: 200, body };
};
