import type { Queryable } from "../../platform/database/statement.ts";
import { InvalidRequestError } from "../../platform/http/invalid-request.ts";
import { indexesOfUnknownLists } from "../../watchlists/watchlists.ts";
import type { WebhookFilters } from "./filters.ts";

/**
 * Makes sure that the watchlists of filters are the account's. `known`: those that the endpoint has already; one of them may
 * be deleted since, and the customer must still be able to save the others. InvalidRequestError.
 */
export async function requireOwnWatchlists(
  client: Queryable,
  accountId: number,
  filters: WebhookFilters | undefined,
  known: readonly number[] = [],
): Promise<void> {
  const ids = filters?.watchlist_ids;
  if (ids === undefined || ids.every((id) => known.includes(id))) return;
  const unknown = await indexesOfUnknownLists(client, accountId, ids);
  const faults = unknown
    .filter((index) => !known.includes(ids[index] ?? 0))
    .map((index) => ({
      loc: ["body", "filters", "watchlist_ids", index],
      msg: "must be the id of one of your watchlists",
      type: "unknown_watchlist",
    }));
  if (faults.length > 0) throw new InvalidRequestError(faults);
}
