// Carriers for a person to look at in the dashboard: free, with a daily limit of previews for each account. The limit also
// counts numbers that are not found; without that, a program could search the feeds for every number.
import type { Caller } from "../accounts/keys/caller.ts";
import { countPreview } from "../accounts/usage/preview-allowance.ts";
import { newestEvents } from "../events/newest.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { type FeedRecords, notFound, visibleRecords } from "./carrier-lookup.ts";
import * as sql from "./statements.ts";

/** What `lookUpCarrier` would give. ProblemError not_found, stale_source or rate_limited. */
export async function previewCarrier(
  context: Context,
  caller: Caller,
  usdot: string,
): Promise<components["schemas"]["CarrierOut"]> {
  await countPreview(context, caller.accountId);
  const found = await visibleRecords(context, caller, Number(usdot));
  if (found === null) throw notFound(usdot);
  return { ...found, events: await newestEvents(context, caller, usdot) };
}

/**
 * The carriers of the caller's feeds and states whose records have this docket number, as `readDocket` gives it. As a
 * rule there is one or none. ProblemError stale_source or rate_limited.
 */
export async function carriersWithDocket(
  context: Context,
  caller: Caller,
  docket: string,
): Promise<FeedRecords[]> {
  await countPreview(context, caller.accountId);
  const { rows } = await sql.findDocket.run(context.db.pool, { docket });
  const found = await Promise.all(rows.map(({ usdot }) => visibleRecords(context, caller, usdot)));
  return found
    .filter((carrier) => carrier !== null)
    .filter(({ records }) => records.some(({ record }) => record.docket_number === docket));
}
