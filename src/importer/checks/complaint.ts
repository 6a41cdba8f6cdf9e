import { FEEDS } from "../../feeds/catalogue.ts";
import { dayNumber } from "../../platform/clock.ts";
import { DATASETS } from "../../registry/datasets.ts";
import { Refusal } from "../read/refusal.ts";

/** Every check that an operator can override with `--accept`. docs/operating/importing.md explains each. */
export const CHECKS = [
  "missing-source",
  "missing-source:FILE",
  "manifest:FILE",
  "frozen-changed:FILE",
  "shrinkage",
  "growth",
  "history-moves",
  "state-shrinkage",
  "fill-rate",
  "value-share:FILE.COLUMN",
  "unknown-values:FILE.COLUMN",
  "date-format:FILE.COLUMN",
  "unit-jump:FILE.COLUMN",
  "column-jump:FILE.COLUMN",
  "row-jump:FILE",
  "columns-blank:FILE",
  "shifted-rows:FILE",
  "status-missing",
  "duplicate-usdot",
  "rejected-rows",
  "rejected-growth:FILE",
  "lost-rows:FILE",
  "old-file:FILE",
  "half-old:FILE",
  "older-than-before",
  "recent-rows",
  "sources-disagree",
  "feed-jump:FEED",
  "event-surge",
] as const;

type WithObject<Check> = Check extends `${infer Name}:${string}` ? `${Name}:${string}` : Check;

/** The name of a check, with the file, column or feed that failed it. */
type CheckName = WithObject<(typeof CHECKS)[number]>;

/** Whether a text names a check as a refusal prints it. */
export function isCheckName(text: string): boolean {
  const files = `(${DATASETS.join("|")})`;
  const feeds = `(${FEEDS.map(({ code }) => code).join("|")})`;
  return CHECKS.some((check) => {
    const form = check.replace("FILE", files).replace("COLUMN", ".+").replace("FEED", feeds);
    return new RegExp(`^${form}$`).test(text);
  });
}

/**
 * The check that failed, as `--accept` takes it, and a sentence that says what is wrong. `kept`: the sentence as it may be
 * stored, if it has examples of businesses.
 */
export type Complaint = [checkName: CheckName, sentence: string, kept?: string];

/** What is decided about checks that fail. */
export interface Accepted {
  has(checkName: string): boolean;
  /** A preview goes on after a refusal, to show the changes too. */
  onRefusal?(refusal: Refusal): void;
}

/**
 * Throws a Refusal when there are complaints that the operator does not accept. It explains those with the name of the
 * first one, which are accepted together, and lists the check names of the others.
 */
export function refuseUnless(accept: Accepted, complaints: readonly Complaint[]): void {
  const refused = foldColumns(complaints.filter(([checkName]) => !accept.has(checkName))).filter(
    ([checkName]) => !accept.has(checkName),
  );
  const [first] = refused;
  if (!first) return;
  const [checkName] = first;
  const together = refused.filter(([name]) => name === checkName);
  const sentences = together.map(([, sentence]) => sentence);
  const kept = together.map(([, sentence, keptSentence = sentence]) => keptSentence);
  const others = [...new Set(refused.map(([name]) => name))].filter((name) => name !== checkName);
  const also =
    others.length === 0 ? "" : ` Also refused: ${others.map((name) => `--accept ${name}`).join(" ")}.`;
  const whole = (explained: readonly string[]) =>
    `${listed(explained)}; if that is right, import with --accept ${checkName}.${also}`;
  const refusal = new Refusal({ message: whole(sentences), kept: whole(kept) }, checkName, ...others);
  if (accept.onRefusal === undefined) throw refusal;
  accept.onRefusal(refusal);
}

/** A refusal has at most this many sentences about one name. */
const MOST_SENTENCES = 10;

function listed(sentences: readonly string[]): string {
  const more = sentences.length - MOST_SENTENCES;
  return [...sentences.slice(0, MOST_SENTENCES), ...(more > 0 ? [`and ${more} more of this kind`] : [])].join(
    "; ",
  );
}

/** Of more columns of one file than this, an operator gets one name to accept. */
const MOST_COLUMNS_NAMED = 3;

/** Complaints about many columns of one file become one, with the sentence of the first of them. */
function foldColumns(complaints: readonly Complaint[]): Complaint[] {
  const byFile = new Map<string, Complaint[]>();
  for (const complaint of complaints) {
    const [, dataset] = /:([a-z0-9_]+)\./.exec(complaint[0]) ?? [];
    const key = dataset ?? complaint[0];
    byFile.set(key, [...(byFile.get(key) ?? []), complaint]);
  }
  return [...byFile].flatMap(([dataset, [first, ...others]]): Complaint[] => {
    if (!first) return [];
    if (!first[0].includes(".")) return [first, ...others];
    const columnOf = ([checkName]: Complaint) => checkName.slice(checkName.indexOf(".") + 1);
    const more = new Set(others.map(columnOf).filter((column) => column !== columnOf(first)));
    if (more.size < MOST_COLUMNS_NAMED) return [first, ...others];
    const [, sentence, kept = sentence] = first;
    const also = `; ${more.size} more columns are as odd: ${[...more].join(", ")}`;
    return [[`columns-blank:${dataset}`, `${sentence}${also}`, `${kept}${also}`]];
  });
}

/** With fewer rows than this a few of them change a share by several points. */
export const ROWS_WITH_SHARES = 100;

/** With more digits below 1%, so that 0.507% does not look like a limit of 0.5%. */
export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.01 ? 3 : 1)}%`;

/** The days from one as-of day to the next; 1 for a first import. */
export const daysBetween = (from: string | null, to: string): number =>
  from === null ? 1 : Math.max(1, dayNumber(to) - dayNumber(from));
