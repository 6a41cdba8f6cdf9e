import { capital } from "../platform/plain-text.ts";
import { codeInWords } from "../registry/code-words.ts";
import { docketlessKey } from "../registry/docket.ts";
import type { WatchedChange } from "./watched-changes.ts";

/** Fields whose names are no words yet, or other words than elsewhere. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  power_units: "trucks",
  dba_name: "trade name",
  email: "e-mail",
  usdot_status: "USDOT status",
  prior_usdot: "prior USDOT number",
  mcs150_date: "MCS-150 date",
  hazmat: "hazardous materials",
  zip: "ZIP code",
  status_change: "entry of the authority's history",
  policy_no: "number",
  usdot: "USDOT number",
  security: "bond or trust fund",
};

const inWords = (name: string): string => FIELD_WORDS[name] ?? codeInWords(name);

/** A recorded change as a sentence without a full stop, such as `Phone changed from 5125550142 to 5125550177`. */
export function changeSentence(change: WatchedChange): string {
  if (change.category === "connection") return linkSentence(change);
  const before = valueInWords(change.before, change);
  const after = valueInWords(change.after, change);
  const field = capital(inWords(change.field)) + itemOf(change);
  const day = change.on === null ? "" : ` (${change.on})`;
  if (before === null && change.field === "status_change")
    return `New in the history of the authority${itemOf(change)}: ${after ?? "no value"}${day}`;
  if (before === null) return `${field} is new: ${after ?? "no value"}${day}`;
  if (after === null) return `${field} is no longer on record: ${before}${day}`;
  return `${field} changed from ${before} to ${after}${day}`;
}

/** Kinds of links whose names are no words yet. */
const LINK_WORDS: Readonly<Record<string, string>> = {
  docket_moved: "a docket",
  declared_predecessor: "a declared predecessor",
  email: "its e-mail address",
  email_domain: "the domain of its e-mail address",
};

/** A change of what a carrier has in common with another business, as connections name it. */
export function linkSentence({
  field,
  before,
  after,
}: Pick<WatchedChange, "field" | "before" | "after">): string {
  const link = LINK_WORDS[field] ?? `its ${inWords(field)}`;
  if (after === "now") return `Another business is connected by ${link}`;
  return before === null
    ? `Another business was connected by ${link} earlier`
    : `Another business is no longer connected by ${link}`;
}

/** Which authority or policy of the carrier the change is about. */
function itemOf({
  usdot,
  docket_number: docket,
  authority_type,
  insurance_type,
  policy_no,
}: WatchedChange): string {
  const parts = [
    docket !== null && docket !== docketlessKey(Number(usdot)) && docket,
    authority_type !== null && inWords(authority_type),
    insurance_type !== null && inWords(insurance_type),
    policy_no !== null && `policy ${policy_no}`,
  ].filter(Boolean);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Words of the contract, such as a status or a list of cargo; an address or a name is shown as it is. */
const WORDS = /^[a-z_]+(;[a-z_]+)*$/;

/**
 * A value as people read it; null for none. A value of several columns, such as a policy, names each that is filled, but for
 * what the sentence has already.
 */
function valueInWords(value: string | null, { policy_no, on }: WatchedChange): string | null {
  if (value === null || value === "") return null;
  const columns = columnsOf(value);
  if (columns === null) return WORDS.test(value) ? value.replaceAll("_", " ").replaceAll(";", ", ") : value;
  const filled = Object.entries(columns).filter(
    ([name, each]) =>
      each !== null && each !== "" && each !== on && (name !== "policy_no" || each !== policy_no),
  );
  return filled.map(([name, each]) => `${inWords(name)} ${String(each)}`).join(", ") || null;
}

/** The columns of a value that the API shows as a JSON object. */
function columnsOf(value: string): Record<string, unknown> | null {
  if (!value.startsWith("{")) return null;
  try {
    return JSON.parse(value) as Record<string, unknown>;
  } catch {
    return null;
  }
}
