import type { PublishedFeed } from "../../feeds/publish/publish.ts";
import { count } from "../print.ts";

type Changed = Pick<PublishedFeed, "feed" | "changes">;
type Example = NonNullable<PublishedFeed["changes"]>["added"]["examples"][number];

/** The records added to each feed, removed from it by rule, and changed in it by column, with examples. */
export function changeLines(feeds: readonly Changed[]): string[] {
  return feeds.flatMap(({ feed, changes }) => {
    if (!changes) return [];
    const { added, removed, changed, changedRows } = changes;
    const removedRows = Object.values(removed).reduce((sum, { rows }) => sum + rows, 0);
    if (added.rows + removedRows + changedRows === 0) return ["", `${feed}: no record changed`];
    return [
      "",
      `${feed}: ${count(added.rows)} added, ${count(removedRows)} removed, ${count(changedRows)} changed`,
      ...(added.rows > 0 ? [`  added: ${shown(added.examples)}`] : []),
      ...byRows(removed).map(
        ([rule, { rows, examples }]) => `  removed, ${rule}: ${count(rows)}${behind(examples)}`,
      ),
      ...byRows(changed).map(
        ([column, { rows, examples }]) => `  changed ${column}: ${count(rows)}${behind(examples)}`,
      ),
    ];
  });
}

/** Most rows first. jsonb does not keep the order of members. */
const byRows = <T extends { rows: number }>(counted: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(counted).sort(
    ([name, { rows }], [otherName, other]) => other.rows - rows || (name < otherName ? -1 : 1),
  );

const behind = (examples: readonly Example[]): string => (examples.length > 0 ? ` (${shown(examples)})` : "");

const shown = (examples: readonly Example[]): string =>
  examples
    .map(({ usdot, before, after }) =>
      before === undefined && after === undefined
        ? String(usdot)
        : `${usdot} ${JSON.stringify(before ?? null)} → ${JSON.stringify(after ?? null)}`,
    )
    .join(", ");
