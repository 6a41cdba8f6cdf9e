import { APPEARANCE } from "./appearance.ts";
import { BY_RULE } from "./by-rule.ts";
import { COLUMNS } from "./columns.ts";
import { MOVED_DAYS, REWRITTEN_DAYS } from "./days.ts";
import type { Mutation } from "./mutation.ts";
import { PARTIAL } from "./partial-damage.ts";
import { REWORDED } from "./rewordings.ts";
import { ROWS } from "./rows.ts";

/** Every mutation, by the kind of change. */
export const MUTATIONS: Readonly<Record<string, readonly Mutation[]>> = {
  "words replaced": REWORDED,
  "another appearance": APPEARANCE,
  "days moved": MOVED_DAYS,
  "days in another form": REWRITTEN_DAYS,
  "columns changed": COLUMNS,
  "rows changed": ROWS,
  "a part damaged": PARTIAL,
  "by rule": BY_RULE,
};
