import { OperatorError } from "../../platform/operator-error.ts";

/** Every check that an operator can override with `--accept`. docs/operating/importing.md explains each. */
export const CHECKS = [
  "missing-source",
  "shrinkage",
  "growth",
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
  "older-than-before",
  "recent-rows",
  "sources-disagree",
  "feed-jump:FEED",
  "event-surge",
] as const;

type WithObject<Check> = Check extends `${infer Name}:${string}` ? `${Name}:${string}` : Check;

/** The name of a check, with the file, column or feed that failed it. */
export type CheckName = WithObject<(typeof CHECKS)[number]>;

/** A refused import; only the staging tables have changed. `checkName` is null when the file is broken: no `--accept` helps. */
export class Refusal extends OperatorError {
  readonly checkName: CheckName | null;

  constructor(message: string, checkName: CheckName | null = null) {
    super(message);
    this.checkName = checkName;
  }
}
