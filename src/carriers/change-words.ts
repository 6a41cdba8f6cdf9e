import { capital } from "../platform/plain-text.ts";
import { shownCount } from "../platform/plural.ts";
import { shownDate } from "../platform/shown-day.ts";
import { codeInWords, USDOT_STATUS_WORDS } from "../registry/code-words.ts";
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
  max_coverage: "coverage",
};

const inWords = (name: string): string => FIELD_WORDS[name] ?? codeInWords(name);

/** A recorded change as a sentence without a full stop, such as `Phone changed from 5125550142 to 5125550177`. */
export function changeSentence(change: WatchedChange): string {
  if (change.category === "connection") return linkSentence(change);
  const day = change.on === null ? "" : ` (${shownDate(change.on, daySeen(change))})`;
  return fieldSentence(change, itemOf(change), day);
}

/** What the words of a changed field depend on. */
type FieldChange = Pick<WatchedChange, "field" | "before" | "after" | "on" | "seen_at"> & {
  policy_no?: string | null;
};

/** A changed field as such a sentence. `item` and `day` say of what and when, where the sentence stands alone. */
export function fieldSentence(change: FieldChange, item = "", day = ""): string {
  const before = valueInWords(change.before, change);
  const after = valueInWords(change.after, change);
  const field = capital(inWords(change.field)) + item;
  if (before === null && change.field === "status_change")
    return `New in the history of the authority${item}: ${after ?? "no value"}${day}`;
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
    insurance_type !== null && (POLICY_TYPES[insurance_type] ?? inWords(insurance_type)),
    policy_no !== null && `policy ${policy_no}`,
  ].filter(Boolean);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** The codes of a policy's type in the registry's files. */
const POLICY_TYPES: Readonly<Record<string, string>> = {
  1: "liability",
  2: "cargo",
  3: "bond",
  4: "trust fund",
};

/** Fields whose values are amounts in dollars. */
const AMOUNTS: ReadonlySet<string> = new Set(["insurance_required", "insurance_on_file", "max_coverage"]);

/**
 * A value as people read it; null for none. A value of several columns, such as a policy, names each that is filled, but for
 * what the sentence has already.
 */
function valueInWords(value: string | null, change: FieldChange): string | null {
  if (value === null || value === "") return null;
  const seenOn = daySeen(change);
  const columns = columnsOf(value);
  if (columns === null) return fieldInWords(change.field, value, seenOn);
  const filled = Object.entries(columns).filter(
    ([name, each]) =>
      each !== null &&
      each !== "" &&
      each !== change.on &&
      (name !== "policy_no" || each !== change.policy_no),
  );
  return (
    filled.map(([name, each]) => `${inWords(name)} ${fieldInWords(name, String(each), seenOn)}`).join(", ") ||
    null
  );
}

/** Days of a sentence are near or far from this one: the sentence stands under it. */
const daySeen = ({ seen_at }: Pick<WatchedChange, "seen_at">): string => seen_at.slice(0, 10);

const YES_OR_NO: Readonly<Record<string, string>> = { true: "yes", false: "no" };
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Words of the contract, such as a status or a list of cargo; an address or a name is shown as it is. */
const WORDS = /^[a-z_]+(;[a-z_]+)*$/;

/** The value of one field. */
function fieldInWords(field: string, value: string, seenOn: string): string {
  if (AMOUNTS.has(field)) return `$${shownCount(Number(value))}`;
  if (field === "usdot_status") return USDOT_STATUS_WORDS[value] ?? value;
  if (DAY.test(value)) return shownDate(value, seenOn);
  if (YES_OR_NO[value] !== undefined) return YES_OR_NO[value];
  return WORDS.test(value) ? value.replaceAll("_", " ").replaceAll(";", ", ") : value;
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
