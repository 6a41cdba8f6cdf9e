// Carriers by name or docket number. searchCarriers shows its steps in order.
import { type Caller, planStates } from "../accounts/keys/caller.ts";
import { chargeRows, countPreview } from "../accounts/usage/quota.ts";
import type { BusinessRecord } from "../feeds/records/business-rows.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { InvalidRequestError } from "../platform/http/invalid-request.ts";
import { DOCKET_WORDS, holdersOf } from "../registry/carrier-numbers.ts";
import { typedDocket } from "../registry/docket.ts";
import { countServedRecords, visibleRecords } from "./carrier-lookup.ts";
import { findNames, type Likely, type Likeness } from "./search-names.ts";

type CarriersOut = components["schemas"]["CarriersOut"];
type CarrierFound = CarriersOut["data"][number];

export interface CarrierSearch {
  name?: string | undefined;
  docket?: string | undefined;
  state?: string | undefined;
  limit: number;
}

/**
 * The carriers of the caller's feeds and states with a name like this one, best first, or with a docket number. Charges a
 * row for each. InvalidRequestError unless there is one of name and docket; ProblemError stale_source, quota_exceeded,
 * unavailable.
 */
export async function searchCarriers(
  context: Context,
  caller: Caller,
  search: CarrierSearch,
): Promise<CarriersOut> {
  const { shown, hasMore } = await findCarriers(context, caller, search);
  await chargeRows(context, caller, "api", shown.length);
  countServedRecords(
    context,
    caller,
    shown.flatMap(({ records }) => records),
  );
  return { data: shown.map(carrierFound), meta: { has_more: hasMore } };
}

/**
 * What `searchCarriers` would give, for a person to look at in the dashboard: free, with a daily limit of previews for each
 * account. InvalidRequestError; ProblemError stale_source, rate_limited, unavailable.
 */
export async function previewSearch(
  context: Context,
  caller: Caller,
  search: CarrierSearch,
): Promise<CarriersOut> {
  await countPreview(context, caller);
  const { shown, hasMore } = await findCarriers(context, caller, search);
  return { data: shown.map(carrierFound), meta: { has_more: hasMore } };
}

async function findCarriers(
  context: Context,
  caller: Caller,
  search: CarrierSearch,
): Promise<{ shown: SeenCarrier[]; hasMore: boolean }> {
  const state = search.state?.toUpperCase() ?? null;
  const states = state === null ? planStates(caller) : [state];
  for await (const { likely, isCut } of likelyCarriers(context, search, states)) {
    const seen = await seenCarriers(context, caller, likely, { state, most: search.limit + 1 });
    const shown = seen.slice(0, search.limit);
    if (shown.length > 0 || isCut) return { shown, hasMore: isCut || seen.length > shown.length };
  }
  return { shown: [], hasMore: false };
}

/** Those that fit best, then others, for a caller who sees none of the first: what others have must not change an answer. */
async function* likelyCarriers(
  context: Context,
  { name, docket }: CarrierSearch,
  states: readonly string[] | null,
): AsyncGenerator<Likely> {
  if ((name === undefined) === (docket === undefined)) throw new InvalidRequestError([ONE_OF]);
  if (name !== undefined) return yield* findNames(context, { name, states });
  const number = typedDocket(docket ?? "");
  if (number === null) {
    throw new InvalidRequestError([
      { loc: ["query", "docket"], msg: `must be ${DOCKET_WORDS}`, type: "pattern" },
    ]);
  }
  const holders = (await holdersOf(context, [number])).get(number) ?? [];
  yield { likely: holders.map((usdot) => ({ usdot, match: "exact", score: 1 })), isCut: false };
}

const ONE_OF = { loc: ["query"], msg: "must have either name or docket", type: "oneOf" };

interface SeenCarrier extends Likeness {
  records: BusinessRecord[];
}

/** So many carriers more than wanted are read at first: some are not in the caller's feeds. */
const SPARE = 5;
/** As many are read at once after a while: of a common name few may be in the caller's feeds. */
const MOST_AT_ONCE = 200;

/** The first of the carriers that the caller sees. */
async function seenCarriers(
  context: Context,
  caller: Caller,
  likely: readonly Likeness[],
  { state, most }: { state: string | null; most: number },
): Promise<SeenCarrier[]> {
  const seen: SeenCarrier[] = [];
  let atOnce = most + SPARE;
  for (let first = 0; first < likely.length && seen.length < most; ) {
    const some = likely.slice(first, first + atOnce);
    first += atOnce;
    atOnce = Math.min(MOST_AT_ONCE, atOnce * 2);
    const records = await visibleRecords(
      context,
      caller,
      some.map(({ usdot }) => usdot),
    );
    for (const likeness of some) {
      const own = records.get(likeness.usdot)?.filter((record) => state === null || record.state === state);
      if (own?.length) seen.push({ ...likeness, records: own });
    }
  }
  return seen.slice(0, most);
}

/** The columns of a record that a search shows. Every feed has them. */
interface Named {
  company: string;
  dba_name: string | null;
  docket_number: string | null;
}

function carrierFound({ usdot, match, score, records }: SeenCarrier): CarrierFound {
  const read = records.map(({ json }) => JSON.parse(String(json)) as Named);
  const [first] = read as [Named];
  return {
    usdot: String(usdot),
    company: first.company,
    dba_name: first.dba_name,
    state: records[0]?.state ?? null,
    docket_numbers: [...new Set(read.flatMap(({ docket_number }) => docket_number ?? []))],
    feeds: [...new Set(records.map(({ version }) => version.feed.code))],
    match,
    score,
  };
}
