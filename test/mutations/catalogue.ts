import { APPEARANCE } from "./appearance.ts";
import { COLUMNS } from "./columns.ts";
import { MOVED_DAYS, REWRITTEN_DAYS } from "./days.ts";
import type { Mutation } from "./mutation.ts";
import { ROWS } from "./rows.ts";
import { REWORDED } from "./words.ts";

/** Every mutation, by the kind of change. */
export const MUTATIONS: Readonly<Record<string, readonly Mutation[]>> = {
  "words replaced": REWORDED,
  "another appearance": APPEARANCE,
  "days moved": MOVED_DAYS,
  "days written otherwise": REWRITTEN_DAYS,
  "columns changed": COLUMNS,
  "rows changed": ROWS,
};
