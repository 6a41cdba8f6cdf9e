// Many carriers in one request, by USDOT and docket numbers. lookUpCarriers shows its steps in order.
import type { Caller } from "../accounts/keys/caller.ts";
import { chargeRows } from "../accounts/usage/quota.ts";
import type { BusinessRecord } from "../feeds/records/business-rows.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { type JsonPiece, type JsonText, joinJson, lentJson } from "../platform/json-text.ts";
import { giveBack } from "../platform/lent-bytes.ts";
import { type CarrierNumber, readNumbers } from "../registry/carrier-numbers.ts";
import { addCarrierJson, countServedRecords, visibleRecords } from "./carrier-lookup.ts";

type LookupIn = components["schemas"]["CarrierLookupIn"];
type Outcome = components["schemas"]["CarrierLookupsOut"]["data"][number]["outcome"];

/** USDOT and docket numbers that a request may have together. */
export const MOST_LOOKUPS = 1_000;

/** What a number stands for. */
interface Found {
  outcome: Outcome;
  query: string;
  /** Those that the caller sees. */
  usdots: readonly number[];
  reason: string | null;
}

/**
 * The carriers that the numbers stand for, in the order asked, with their records in the caller's feeds and states. Charges
 * a row for each carrier found, once, before anything is answered. InvalidRequestError for no number or too many;
 * ProblemError stale_source, quota_exceeded.
 */
export async function lookUpCarriers(
  context: Context,
  caller: Caller,
  asked: LookupIn,
): Promise<JsonText<components["schemas"]["CarrierLookupsOut"]>> {
  const lookups = await readNumbers(context, asked, MOST_LOOKUPS);
  const candidates = new Set(lookups.flatMap(({ usdots }) => usdots ?? []));
  const records = await visibleRecords(context, caller, [...candidates]);
  const found = lookups.map((lookup) => outcomeOf(lookup, records));
  const carriers = new Set(
    found.filter(({ outcome }) => outcome === "found").flatMap(({ usdots }) => usdots),
  );
  await chargeRows(context, caller, "api", carriers.size);
  countServedRecords(
    context,
    caller,
    [...carriers].flatMap((usdot) => records.get(usdot) ?? []),
  );
  return answerOf(found, records, carriers.size);
}

function outcomeOf(
  { query, usdots, form }: CarrierNumber,
  records: ReadonlyMap<number, BusinessRecord[]>,
): Found {
  if (usdots === null) return { outcome: "invalid", query, usdots: [], reason: form };
  // A docket may have been another company's before. One that the caller does not see is never named.
  const seen = usdots.filter((usdot) => records.has(usdot));
  const outcome = seen.length > 1 ? "ambiguous" : seen.length === 1 ? "found" : "not_found";
  return { outcome, query, usdots: seen, reason: null };
}

function answerOf(
  found: readonly Found[],
  records: ReadonlyMap<number, BusinessRecord[]>,
  rowsCharged: number,
): JsonText<components["schemas"]["CarrierLookupsOut"]> {
  const pieces: JsonPiece[] = ['{"data":['];
  let before = "";
  for (const { outcome, query, usdots, reason } of found) {
    const head = JSON.stringify({ query, outcome, usdots: usdots.map(String), reason }).slice(0, -1);
    const own = outcome === "found" ? records.get(usdots[0] as number) : undefined;
    pieces.push(`${before}${head},"carrier":${own ? "" : "null"}`);
    if (own) addCarrierJson(pieces, own);
    before = "},";
  }
  const countOf = (outcome: Outcome) => found.filter((each) => each.outcome === outcome).length;
  const summary = {
    found: countOf("found"),
    not_found: countOf("not_found"),
    ambiguous: countOf("ambiguous"),
    invalid: countOf("invalid"),
    rows_charged: rowsCharged,
  };
  pieces.push(`}],"summary":${JSON.stringify(summary)}}`);
  const json = joinJson(pieces);
  // Their bytes are in the answer now.
  for (const record of [...records.values()].flat()) giveBack(record.json);
  return lentJson(json);
}
