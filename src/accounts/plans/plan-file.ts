import { parse } from "yaml";
import { OperatorError } from "../../platform/operator-error.ts";
import { isPlainText } from "../../platform/plain-text.ts";

/** A plan of a plan file. */
export interface Plan {
  code: string;
  name: string;
  hasApiAccess: boolean;
  requestsPerMinute: number;
  rowsPerMonth: number;
  /** Exports that a key may run at once. */
  concurrentExports: number;
  /** Carriers that an account may have on its watchlists. */
  watchedCarriers: number;
  /** Whether /pricing shows it. */
  isListed: boolean;
  /** Its place there: the lowest first. */
  order: number;
  /** A sentence for whom it is; null: none. */
  description: string | null;
  /** The price as /pricing shows it; null: on request. */
  price: string | null;
  /** Feed → sorted state codes, null = every state. */
  feeds: ReadonlyMap<string, readonly string[] | null>;
}

/** The codes that a plan file may use. */
export interface PlanWords {
  feedCodes: readonly string[];
  /** US state codes. */
  regions: readonly string[];
}

type Complain = (mistake: string) => void;
type Members = Readonly<Record<string, unknown>>;

const MEMBERS = [
  "name",
  "api_access",
  "requests_per_minute",
  "rows_per_month",
  "concurrent_exports",
  "watched_carriers",
  "listed",
  "order",
  "description",
  "price",
  "feeds",
];

/** The defaults if a plan file does not give them. */
const CONCURRENT_EXPORTS = 5;
const WATCHED_CARRIERS = 1_000;

/** Parses a plan file. Throws one OperatorError that names every mistake. */
export function parsePlanFile(text: string, fileName: string, words: PlanWords): Plan[] {
  const mistakes: string[] = [];
  const complain: Complain = (mistake) => mistakes.push(mistake);
  const document = parseYaml(text, fileName);
  const plans = isMembers(document) && isMembers(document.plans) ? Object.entries(document.plans) : [];
  if (plans.length === 0) complain('it needs a member "plans" with at least one plan');
  if (isMembers(document)) refuseUnknown(document, ["plans"], "the file", complain);
  const parsed = plans.map(([code, plan]) => planFrom(code, plan, words, complain));
  if (mistakes.length === 0) return parsed;
  throw new OperatorError(`${fileName} is not a valid plan file: ${mistakes.join("; ")}.`);
}

function parseYaml(text: string, fileName: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const [firstLine] = (error as Error).message.split("\n");
    throw new OperatorError(`${fileName} is not valid YAML: ${firstLine?.replace(/:$/, "")}.`);
  }
}

function planFrom(code: string, plan: unknown, words: PlanWords, complainOfFile: Complain): Plan {
  const complain: Complain = (mistake) => complainOfFile(`plan "${code}": ${mistake}`);
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(code)) {
    complain("its code must be 1 to 40 small letters, digits, - or _, starting with a letter");
  }
  const members = isMembers(plan) ? plan : {};
  if (isMembers(plan)) refuseUnknown(plan, MEMBERS, "a plan", complain);
  return {
    code,
    name: nameFrom(members.name, complain),
    hasApiAccess: booleanFrom("api_access", members.api_access, complain),
    requestsPerMinute: integerFrom(
      "requests_per_minute",
      members.requests_per_minute,
      1,
      1_000_000,
      complain,
    ),
    rowsPerMonth: integerFrom("rows_per_month", members.rows_per_month, 0, 1_000_000_000_000, complain),
    concurrentExports: integerFrom(
      "concurrent_exports",
      members.concurrent_exports ?? CONCURRENT_EXPORTS,
      1,
      1_000,
      complain,
    ),
    watchedCarriers: integerFrom(
      "watched_carriers",
      members.watched_carriers ?? WATCHED_CARRIERS,
      0,
      1_000_000,
      complain,
    ),
    isListed: booleanFrom("listed", members.listed ?? false, complain),
    order: integerFrom("order", members.order ?? 0, 0, 1_000, complain),
    description: textFrom("description", members.description, 300, complain),
    price: textFrom("price", members.price, 100, complain),
    feeds: feedsFrom(members.feeds, words, complain),
  };
}

function nameFrom(value: unknown, complain: Complain): string {
  if (typeof value === "string" && /^[^\p{Cc}]{1,100}$/u.test(value) && value.trim() !== "")
    return value.trim();
  complain("name must be a text of 1 to 100 characters");
  return "";
}

/** An optional text of one line. */
function textFrom(member: string, value: unknown, most: number, complain: Complain): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") {
    const text = value.trim();
    if (text !== "" && [...text].length <= most && isPlainText(text)) return text;
  }
  complain(`${member} must be a text of 1 to ${most} characters in one line`);
  return null;
}

function booleanFrom(member: string, value: unknown, complain: Complain): boolean {
  if (typeof value === "boolean") return value;
  complain(`${member} must be true or false`);
  return false;
}

function integerFrom(member: string, value: unknown, min: number, max: number, complain: Complain): number {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  complain(`${member} must be a whole number from ${min} to ${max}`);
  return min;
}

function feedsFrom(value: unknown, words: PlanWords, complain: Complain): Plan["feeds"] {
  const feeds = new Map<string, readonly string[] | null>();
  if (!isMembers(value))
    complain("feeds must name each feed with its regions (all, or a list of state codes)");
  for (const [feedCode, regions] of Object.entries(isMembers(value) ? value : {})) {
    if (!words.feedCodes.includes(feedCode)) {
      complain(`there is no feed "${feedCode}" (the feeds are ${words.feedCodes.join(", ")})`);
    }
    feeds.set(feedCode, regionsFrom(feedCode, regions, words.regions, complain));
  }
  return feeds;
}

function regionsFrom(feedCode: string, value: unknown, known: readonly string[], complain: Complain) {
  if (value === "all") return null;
  if (!Array.isArray(value) || value.length === 0) {
    complain(`the regions of ${feedCode} must be all, or a list of at least one state code`);
    return [];
  }
  const unknown = value.filter((code) => !known.includes(code));
  if (unknown.length > 0)
    complain(`the regions of ${feedCode} are not US state codes: ${unknown.join(", ")}`);
  return [...new Set<string>(value)].sort();
}

function refuseUnknown(members: Members, known: readonly string[], where: string, complain: Complain): void {
  const unknown = Object.keys(members).filter((member) => !known.includes(member));
  if (unknown.length > 0) complain(`${where} has no member ${unknown.join(", ")} (only ${known.join(", ")})`);
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
