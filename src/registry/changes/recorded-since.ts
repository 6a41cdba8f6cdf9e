import type { Context } from "../../platform/context.ts";
import { type ChangeCategory, fieldsOf, RECORDED_SOURCES } from "./recorded-fields.ts";
import * as sql from "./statements.ts";

/** Since when the first field of each category is recorded; a category that is not recorded yet is absent. */
export type RecordedSince = Partial<Record<ChangeCategory, Date>>;

export async function recordedSince({ db }: Pick<Context, "db">): Promise<RecordedSince> {
  const { rows } = await sql.listRecording.run(db.pool);
  const found: RecordedSince = {};
  for (const { source, field, since } of rows) {
    const category = CATEGORIES.get(`${source}.${field}`);
    // Earliest first.
    if (category !== undefined) found[category] ??= since;
  }
  return found;
}

const CATEGORIES = new Map<string, ChangeCategory>(
  RECORDED_SOURCES.flatMap((source) =>
    fieldsOf(source).map(({ category, field }) => [`${source.table}.${field}`, category] as const),
  ),
);

/** The categories of recorded changes. */
export const CHANGE_CATEGORIES: readonly ChangeCategory[] = [...new Set(CATEGORIES.values())];
