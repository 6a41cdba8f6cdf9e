// Finds statements in tests that write rows of the product's tables.

/** Test files that may write rows by their own statements, and why. */
export const OWN_STATEMENTS: Readonly<Record<string, string>> = {
  "test/service/accounts/life/suspended.test.ts": "its statements are to be refused",
  "test/stories/lesser-role.test.ts": "its statements are to be refused",
  "test/stories/upgrade.test.ts": "its rows are those of an older schema",
  "test/service/platform/database/migrate-old-rows.test.ts": "its rows are those of an older schema",
  "test/service/webhooks/upgrade.test.ts": "its rows are those of an older schema",
  "test/unit/structure/source-rules.test.ts": "its statements are examples of refused ones",
  "test/unit/structure/one-row-statements.test.ts": "its statements are examples",
  "test/unit/structure/written-rows.test.ts": "its statements are examples",
  "test/unit/tables/table-owners.test.ts": "its statements are examples",
};

const WRITES =
  /\b(?:INSERT\s+INTO|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?|UPDATE)\s+(?:ONLY\s+)?(?<table>"?(?:[\w.]|\$\{[^}]*\})+)/g;
/** An UPDATE without it is a word of a sentence, or of a lock. */
const SET = /^"?\s+(?:AS\s+\w+\s+)?SET\b/;

/** The statements of a file that write one of these tables, a table of the staging area or a version of a feed. */
export function writtenIn(text: string, tables: ReadonlySet<string>): string[] {
  return [...text.matchAll(WRITES)].flatMap((match) => {
    const table = match.groups?.table ?? "";
    const rest = text.slice(match.index + match[0].length);
    if (match[0].startsWith("UPDATE") && !SET.test(rest)) return [];
    const name = table.replaceAll('"', "").replace(/^public\./, "");
    const isOurs = tables.has(name) || /^(?:staging|published)\.|^\$\{/.test(name);
    return isOurs ? [match[0].replaceAll(/\s+/g, " ")] : [];
  });
}
