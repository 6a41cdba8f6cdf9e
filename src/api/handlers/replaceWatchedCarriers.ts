import type { Handler } from "../../generated/operations.ts";
import { replaceCarriers } from "../../watchlists/watched-carriers.ts";

export const replaceWatchedCarriers: Handler<"replaceWatchedCarriers"> = async (
  { caller, path, body: numbers },
  context,
) => {
  const body = await replaceCarriers(context, { caller, watchlistId: path.watchlist_id }, numbers);
  return { status: 200, body };
};
