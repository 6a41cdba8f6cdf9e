// Mutations made by rule: the same few kinds of damage to every column of every file that the import reads.
import { OFFICIAL_FILES } from "../../src/importer/official/official-files.ts";
import { type OfficialFile, usedColumns } from "../../src/importer/rows/official-file.ts";
import { type Mutation, onColumn, onTable, positionOf } from "./mutation.ts";
import { FILE_TITLES, REGISTRY_FILES, type RegistryFile, tableOf, textOf } from "./registry-file.ts";

/** The official file of each name. Columns of the text file without header have its names, too. */
const OFFICIAL: ReadonlyMap<string, OfficialFile> = new Map(
  OFFICIAL_FILES.map((file) => [file.dataset, file]),
);
const officialOf = (file: RegistryFile): OfficialFile =>
  OFFICIAL.get(REGISTRY_FILES[file].replace(/\.\w+$/, "")) as OfficialFile;

/** The columns that the import reads. Of the thirty columns of cargo two stand for all. */
const columnsOf = (file: RegistryFile): string[] =>
  usedColumns(officialOf(file)).filter(
    (column) => !column.startsWith("CRGO_") || /GENFREIGHT|HOUSEHOLD/.test(column),
  );

const isDay = (column: string): boolean => column.endsWith("_DATE");
const isNumber = (column: string): boolean => /AMOUNT$|BIPD_FILE|UNITS|DRIVERS|MILEAGE/.test(column);
/** Without the policies that go on, a lapse is the right result. */
const isProof = (file: RegistryFile, column: string): boolean =>
  file === "insur" || (file === "carrier" && column.endsWith("_FILE"));

const fillerIn = (file: RegistryFile): string =>
  file === "legacyAuthHist" ? "01/01/2000" : file === "oosOrder" ? "2000-01-01" : "20000101";

/** The values of a column moved down by one row. */
const shifted = (column: string): Mutation["change"] =>
  onTable((table) => {
    const at = positionOf(table, column);
    return {
      ...table,
      rows: table.rows.map((row, index) =>
        index === 0 ? row : row.with(at, table.rows[index - 1]?.[at] ?? ""),
      ),
    };
  });

/** The values of two columns change places in one row of four. */
const exchanged = (column: string, neighbour: string): Mutation["change"] =>
  onTable((table) => {
    const [one, other] = [positionOf(table, column), positionOf(table, neighbour)];
    return {
      ...table,
      rows: table.rows.map((row, index) =>
        index % 4 === 0 ? row.with(one, row[other] ?? "").with(other, row[one] ?? "") : row,
      ),
    };
  });

/** One row of ten has the words of another registry. */
const foreign =
  (column: string): Mutation["change"] =>
  (text, { otherRegistry }, file) => {
    const [table, other] = [tableOf(file, text), tableOf(file, otherRegistry)];
    const at = positionOf(table, column);
    const rows = table.rows.map((row, index) =>
      index % 10 === 0 ? row.with(at, other.rows[index % other.rows.length]?.[at] ?? "") : row,
    );
    return textOf({ ...table, rows });
  };

/** The second half of the file is that of the first day. */
const oldHalf: Mutation["change"] = (text, { firstDay }, file) => {
  const [table, old] = [tableOf(file, text), tableOf(file, firstDay)];
  const half = (rows: string[][]) => Math.floor(rows.length / 2);
  return textOf({
    ...table,
    rows: [...table.rows.slice(0, half(table.rows)), ...old.rows.slice(half(old.rows))],
  });
};

function ofColumn(file: RegistryFile, column: string, neighbour: string): Mutation[] {
  const shared = { files: [file], removesReplacement: isProof(file, column) };
  const name = (what: string) => `${FILE_TITLES[file]} ${column} ${what}`;
  const scaled = (factor: number) =>
    onColumn(column, (value, _row, index) =>
      index % 20 === 0 && Number(value) > 0 ? String(Number(value) * factor) : value,
    );
  return [
    { ...shared, name: name("blank in the second half"), change: blankHalf(column) },
    { ...shared, name: name("shifted by a row"), change: shifted(column) },
    {
      ...shared,
      name: name(`exchanged with ${neighbour} in one row in 4`),
      removesReplacement: shared.removesReplacement || isProof(file, neighbour),
      change: exchanged(column, neighbour),
    },
    { ...shared, name: name("in lower case"), change: onColumn(column, (value) => value.toLowerCase()) },
    { ...shared, name: name("with words of another registry"), change: foreign(column) },
    ...(isDay(column)
      ? [{ ...shared, name: name("with a filler date"), change: onColumn(column, () => fillerIn(file)) }]
      : []),
    ...(isNumber(column)
      ? [
          { ...shared, name: name("in thousands in one row in 20"), change: scaled(0.001) },
          { ...shared, name: name("times a thousand in one row in 20"), change: scaled(1000) },
        ]
      : []),
  ];
}

const blankHalf = (column: string): Mutation["change"] =>
  onTable((table) => {
    const at = positionOf(table, column);
    const half = table.rows.length / 2;
    return { ...table, rows: table.rows.map((row, index) => (index < half ? row : row.with(at, ""))) };
  });

// The legacy files are frozen: a changed one is refused as such.
const LIVE = (Object.keys(REGISTRY_FILES) as RegistryFile[]).filter((file) => !file.startsWith("legacy"));

export const BY_RULE: readonly Mutation[] = LIVE.flatMap((file) => {
  const columns = columnsOf(file);
  return [
    { name: `${FILE_TITLES[file]} with an old half`, files: [file], change: oldHalf },
    ...columns.flatMap((column, index) =>
      ofColumn(file, column, columns[index === columns.length - 1 ? index - 1 : index + 1] as string),
    ),
  ];
});
