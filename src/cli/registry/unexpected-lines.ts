import type { ImportReport } from "../../importer/runs.ts";
import { count } from "../print.ts";

type File = ImportReport["files"][number];

/** What a file held that was not expected, one line each: values, date formats, columns. */
export function unexpectedLines({ file, unknownValues = {}, dates = {}, unexpected }: File): string[] {
  const values = Object.entries(unknownValues).flatMap(([column, rows]) =>
    Object.entries(rows).map(
      ([value, number]) =>
        `  ${file}: ${column} ${JSON.stringify(value)} is not known, in ${count(number)} rows`,
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
    ...(absent.length > 0 ? [`  ${file}: columns no longer there, not needed: ${absent.join(", ")}`] : []),
    ...(areReordered ? [`  ${file}: columns in another order than documented`] : []),
  ];
}
