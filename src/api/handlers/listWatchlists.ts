import type { Handler } from "../../generated/operations.ts";
import { readWatchlists } from "../../watchlists/watchlists.ts";

export const listWatchlists: Handler<"listWatchlists"> = async ({ caller }, context) => {
  const body = await readWatchlists(context, caller);
  return { status: 200, body };
};
