import type { PublishedFeed } from "../../feeds/publish/publish.ts";
import type { SourceWarning } from "../../feeds/sources-list.ts";
import type { ImportReport } from "../../importer/runs.ts";
import { countOf } from "../../platform/plural.ts";
import { count, separated, table } from "../terminal/print.ts";

/** The report of an import as lines; `tdf status` shows the same. */
export function reportLines(report: ImportReport): string[] {
  const { files, feeds, skipped, sources = [] } = report;
  const first =
    report.run === null
      ? `Preview: registry as of ${report.asOf}, ${report.seconds} s. Nothing was changed. ${previewed(report)}`
      : `Import ${report.run}: registry as of ${report.asOf}, ${report.seconds} s`;
  return separated([
    [first],
    fileTable(files),
    titled("Left out or repaired:", files.flatMap(repairLines)),
    titled("Not expected:", files.flatMap(unexpectedLines)),
    titled(
      "Not read:",
      skipped.map(({ file, why }) => `  ${file}: ${why}`),
    ),
    sourceWarningLines(sources),
    table(
      ["registry table", "new", "changed", "gone"],
      Object.entries(report.changes).map(([name, { inserted, updated, deleted }]) => [
        name,
        inserted,
        updated,
        deleted,
      ]),
    ),
    rebasedLines(report),
    feedTable(feeds),
    [
      `Revocations pending: ${count(report.pendingRevocations)}`,
      ...recordedLines(report),
      ...eventLines(report),
      ...removalLines(report),
    ],
  ]);
}

const previewed = ({ refusals = [] }: ImportReport): string =>
  refusals.length === 0
    ? "An import would do this:"
    : "AN IMPORT WOULD BE REFUSED, for the reasons at the end. With them accepted it would do this:";

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines];

const fileTable = (files: ImportReport["files"]): string[] =>
  table(
    ["file", "dataset", "rows", "kept", "repeated", "newest"],
    files.map((file) => [
      file.file,
      file.dataset,
      file.rowsRead,
      file.kept,
      file.duplicates,
      file.newestRowOn ?? "–",
    ]),
  );

const feedTable = (feeds: ImportReport["feeds"]): string[] =>
  table(
    ["feed", "version", "rows before", "rows now", ""],
    feeds.map((feed) => [
      feed.feed,
      feed.version,
      feed.rowsBefore ?? "–",
      feed.rowsAfter,
      feed.isNew ? "published" : "unchanged",
    ]),
  );

/** What other rules of the program changed at the feeds, before the files were read. */
function rebasedLines({ rebased }: ImportReport): string[] {
  if (rebased === undefined) return [];
  return [
    `This program has other rules than the one of the last import. They were applied to the registry as of ${rebased.asOf} first:`,
    ...table(
      ["feed", "version", "rows before", "rows now", "added", "removed", "changed"],
      rebased.feeds.map(({ feed, version, rowsBefore, rowsAfter, changes }) => [
        feed,
        version,
        rowsBefore ?? "–",
        rowsAfter,
        changes?.added.rows ?? "–",
        changes ? Object.values(changes.removed).reduce((sum, { rows }) => sum + rows, 0) : "–",
        changes?.changedRows ?? "–",
      ]),
    ),
  ];
}

const repairLines = ({ file, rejected, repaired }: File): string[] =>
  [...Object.entries(rejected), ...Object.entries(repaired)].map(
    ([reason, rows]) => `  ${file}: ${count(rows)} ${reason}`,
  );

function eventLines({ events, corrections, contradictions }: ImportReport): string[] {
  const types = Object.entries(events).map(([type, rows]) => `  ${count(rows)} ${type}`);
  return [
    types.length === 0 ? "Events: none" : "Events:",
    ...types,
    ...(corrections
      ? [`Events corrected, because the registry corrected itself: ${count(corrections)}`]
      : []),
    ...(contradictions?.contradicting
      ? [
          `Authorities on which Motus Carrier and AuthHist contradict each other: ` +
            `${count(contradictions.contradicting)} of ${count(contradictions.shared)}. The safe status counts.`,
        ]
      : []),
  ];
}

function recordedLines({ recordedChanges = {} }: ImportReport): string[] {
  const changes = Object.entries(recordedChanges).map(([category, number]) => `${count(number)} ${category}`);
  return changes.length === 0 ? [] : [`Changes of carriers recorded: ${changes.join(", ")}`];
}

/** What an operator has to know about missing and old files, one line each. */
export const sourceWarningLines = (warnings: readonly SourceWarning[]): string[] =>
  warnings.map(({ dataset, asOf, nullColumns }) => {
    const columns =
      nullColumns.length > 0
        ? `; its columns are null: ${nullColumns.join(", ")}`
        : "; what it says is still served";
    return asOf === null
      ? `${dataset} was never imported${columns}.`
      : `OLD FILE ${dataset}: its newest day is ${asOf}${columns}.`;
  });

function removalLines({ removals }: ImportReport): string[] {
  const { businesses = 0, waiting = 0 } = removals ?? {};
  return [
    ...(businesses > 0 ? [`Further businesses removed by earlier requests: ${count(businesses)}`] : []),
    ...(waiting > 0
      ? [`Removal requests that now wait for your decision (removal review): ${count(waiting)}`]
      : []),
  ];
}

type File = ImportReport["files"][number];

/** The unexpected values, date formats and columns of a file, one line each. */
function unexpectedLines({ file, unknownValues = {}, dates = {}, unexpected }: File): string[] {
  const values = Object.entries(unknownValues).flatMap(([column, rows]) =>
    Object.entries(rows).map(
      ([value, number]) =>
        `  ${file}: ${column} ${JSON.stringify(value)} is unknown, in ${countOf(number, "row")}`,
    ),
  );
  const formats = Object.entries(dates)
    .filter(([, { otherForm }]) => otherForm > 0)
    .map(
      ([column, { otherForm, examples }]) =>
        `  ${file}: ${column} has another date format in ${countOf(otherForm, "row")}: ` +
        examples.map((example) => JSON.stringify(example)).join(", "),
    );
  const { added = [], absent = [], areReordered = false } = unexpected ?? {};
  return [
    ...values,
    ...formats,
    ...(added.length > 0 ? [`  ${file}: columns added: ${added.join(", ")}`] : []),
    ...(absent.length > 0 ? [`  ${file}: columns missing, not needed: ${absent.join(", ")}`] : []),
    ...(areReordered ? [`  ${file}: columns in another order than documented`] : []),
  ];
}

/** Where the rows of each feed come from, and what changed in it. */
export const feedLines = ({ feeds }: ImportReport): string[] => [
  ...originLines(feeds),
  ...changeLines(feeds),
];

type Origin = Pick<PublishedFeed, "feed" | "rowsAfter" | "rowsBySource" | "leftOut">;

/** The rows of each feed by source, and the authorities that each rule left out. */
export function originLines(feeds: readonly Origin[]): string[] {
  const rows = feeds.map(({ feed, rowsAfter, rowsBySource }) => [
    feed,
    rowsAfter,
    rowsBySource.motus ?? 0,
    rowsBySource.legacy ?? 0,
  ]);
  const leftOut = feeds.flatMap(({ feed, leftOut }) =>
    Object.entries(leftOut ?? {}).map(([rule, authorities]) => [feed, authorities, rule]),
  );
  return [
    ...table(["feed", "rows", "by Motus", "by legacy"], rows),
    ...(leftOut.length > 0 ? ["", ...table(["feed", "left out", "authorities, by rule"], leftOut)] : []),
  ];
}

type Changed = Pick<PublishedFeed, "feed" | "changes">;
type Example = NonNullable<PublishedFeed["changes"]>["added"]["examples"][number];

/** The records added to each feed, removed from it by rule, and changed in it by column, with examples. */
function changeLines(feeds: readonly Changed[]): string[] {
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
