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

/** The check that failed, as `--accept` takes it, and a sentence that says what is wrong. */
export type Complaint = [checkName: CheckName, sentence: string];

/**
 * Throws a Refusal when there are complaints that the operator does not accept. It explains the first one and lists the
 * check names of the others.
 */
export function refuseUnless(accept: ReadonlySet<string>, complaints: readonly Complaint[]): void {
  const refused = complaints.filter(([checkName]) => !accept.has(checkName));
  const [first] = refused;
  if (!first) return;
  const [checkName, sentence] = first;
  const others = [...new Set(refused.map(([name]) => name))].filter((name) => name !== checkName);
  const also =
    others.length === 0 ? "" : ` Also refused: ${others.map((name) => `--accept ${name}`).join(" ")}.`;
  throw new Refusal(`${sentence}; if that is right, import with --accept ${checkName}.${also}`, checkName);
}

/** With fewer rows than this a few of them change a share by several points. */
export const ROWS_WITH_SHARES = 100;

/** With more digits below 1 %, so that 0.507 % does not look like a limit of 0.5 %. */
export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.01 ? 3 : 1)} %`;
