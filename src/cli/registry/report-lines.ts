import type { SourceWarning } from "../../feeds/sources-list.ts";
import type { ImportReport } from "../../importer/runs.ts";
import { count, table } from "../print.ts";

/** The report of an import as lines; `tdf status` shows the same. */
export function reportLines(report: ImportReport): string[] {
  const notes = report.files.flatMap((file) =>
    [...Object.entries(file.rejected), ...Object.entries(file.repaired)].map(
      ([reason, rows]) => `  ${file.file}: ${count(rows)} ${reason}`,
    ),
  );
  const unexpected = report.files.flatMap(unexpectedLines);
  const changed = Object.entries(report.changes).map(([name, { inserted, updated, deleted }]) => [
    name,
    inserted,
    updated,
    deleted,
  ]);
  return [
    report.run === null
      ? `Preview: registry as of ${report.asOf}, ${report.seconds} s. Nothing was changed. An import would do this:`
      : `Import ${report.run}: registry as of ${report.asOf}, ${report.seconds} s`,
    "",
    ...table(
      ["file", "dataset", "rows", "kept", "repeated", "newest"],
      report.files.map((file) => [
        file.file,
        file.dataset,
        file.rowsRead,
        file.kept,
        file.duplicates,
        file.newestRowOn ?? "–",
      ]),
    ),
    ...(notes.length > 0 ? ["", "Left out or repaired:", ...notes] : []),
    ...(unexpected.length > 0 ? ["", "Not expected:", ...unexpected] : []),
    ...(report.skipped.length > 0 ? ["", "Not read:"] : []),
    ...report.skipped.map(({ file, why }) => `  ${file}: ${why}`),
    ...(report.sources?.length ? ["", ...sourceWarningLines(report.sources)] : []),
    "",
    ...table(["registry table", "new", "changed", "gone"], changed),
    "",
    ...table(
      ["feed", "version", "rows before", "rows now", ""],
      report.feeds.map((feed) => [
        feed.feed,
        feed.version,
        feed.rowsBefore ?? "–",
        feed.rowsAfter,
        feed.isNew ? "published" : "unchanged",
      ]),
    ),
    "",
    `Revocations pending: ${count(report.pendingRevocations)}`,
    ...recordedLines(report),
    ...(Object.keys(report.events).length === 0 ? ["Events: none"] : ["Events:"]),
    ...Object.entries(report.events).map(([type, events]) => `  ${count(events)} ${type}`),
    ...(report.corrections
      ? [`Events corrected, because the registry corrected itself: ${count(report.corrections)}`]
      : []),
    ...(report.contradictions?.contradicting
      ? [
          `Authorities on which Motus Carrier and AuthHist contradict each other: ` +
            `${count(report.contradictions.contradicting)} of ${count(report.contradictions.shared)}. The safe status counts.`,
        ]
      : []),
    ...removalLines(report),
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
        `  ${file}: ${column} ${JSON.stringify(value)} is unknown, in ${count(number)} rows`,
    ),
  );
  const formats = Object.entries(dates)
    .filter(([, { otherForm }]) => otherForm > 0)
    .map(
      ([column, { otherForm, examples }]) =>
        `  ${file}: ${column} has another date format in ${count(otherForm)} rows: ` +
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
