import { hash } from "node:crypto";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CopyLines } from "../../../src/importer/read/copy-lines.ts";
import { OpenQuoteError, RecordScanner } from "../../../src/importer/read/record-scanner.ts";
import { RepeatedRows } from "../../../src/importer/read/repeated-rows.ts";
import { RowCounts } from "../../../src/importer/read/row-counts.ts";
import {
  CORRUPT_DATE,
  IMPOSSIBLE_DATE,
  readDate,
  UNREADABLE_DATE,
} from "../../../src/registry/registry-text.ts";

/** The records by a widely used CSV reader, with quotes inside unquoted fields allowed, as in old registry files. */
function peer(csv: string): string[][] | "open quote" {
  try {
    return parse(Buffer.from(csv), {
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    expect(error).toMatchObject({ code: "CSV_QUOTE_NOT_CLOSED" });
    return "open quote";
  }
}

/** The same by our scanner, from blocks that end at these offsets. */
function scanned(csv: string, cuts: readonly number[] = []): string[][] | "open quote" {
  const bytes = Buffer.from(csv);
  const indexes = [...Array(MOST_FIELDS).keys()];
  const records: string[][] = [];
  const scanner = new RecordScanner(indexes, (width) => {
    records.push(indexes.slice(0, width).map((index) => scanner.field(index)));
  });
  let rest = Buffer.alloc(0);
  let from = 0;
  try {
    for (const cut of [...cuts].sort((a, b) => a - b)) {
      const block = Buffer.concat([rest, bytes.subarray(from, cut)]);
      rest = block.subarray(scanner.scan(block, false));
      from = Math.max(from, cut);
    }
    scanner.scan(Buffer.concat([rest, bytes.subarray(from)]), true);
  } catch (error) {
    expect(error).toBeInstanceOf(OpenQuoteError);
    return "open quote";
  }
  return records;
}

const MOST_FIELDS = 60;

// Mostly characters with a meaning in CSV, so that they meet.
const fragments = fc.constantFrom(
  '"',
  '""',
  ",",
  "\n",
  "\r\n",
  "\r",
  " ",
  "a",
  "bc",
  "\\",
  "é",
  "€",
  "😀",
  "\0",
  "\t",
);
const csvText = fc.array(fragments, { maxLength: 40 }).map((parts) => parts.join(""));

test("CSV is read like other readers read it, whatever it contains", () => {
  fc.assert(
    fc.property(csvText, (csv) => void expect(scanned(csv)).toEqual(peer(csv))),
    { numRuns: 3000 },
  );
});

test("the result does not depend on where a file is cut into blocks", () => {
  fc.assert(
    fc.property(
      csvText,
      fc.array(fc.nat(60), { maxLength: 4 }),
      (csv, cuts) => void expect(scanned(csv, cuts)).toEqual(scanned(csv)),
    ),
    { numRuns: 2000 },
  );
});

const digits = (most: number, width: number) =>
  fc.nat(most).map((number) => String(number).padStart(width, "0"));
const dates = fc
  .tuple(
    fc.oneof(digits(9999, 4), fc.constantFrom("2026", "1935", "1934", "2000", "1900")),
    digits(13, 2),
    digits(32, 2),
  )
  .chain(([year, month, day]) =>
    fc.constantFrom(
      `${month}/${day}/${year}`,
      `${year}${month}${day}`,
      `${year}-${month}-${day}`,
      `${year}${month}${day} 0000`,
    ),
  );
const nearDates = fc
  .tuple(
    fc.oneof(dates, fc.constantFrom("", " ", "0", "00000000")),
    fc.nat(12),
    fc.constantFrom("", "", "/", "x", " ", "é"),
  )
  .map(([date, index, odd]) => date.slice(0, index) + odd + date.slice(index));

test("a date written into a line is the same as one read as text", () => {
  const latest = "2028-02-29";
  const scanner = new RecordScanner([0], (_, sizeBytes) => {
    lines.begin(sizeBytes);
    isGood.push(![UNREADABLE_DATE, IMPOSSIBLE_DATE].includes(lines.date(0, latest) ?? ""));
    lines.end();
  });
  const lines = new CopyLines(scanner, null, new RowCounts(["day"], 0));
  const isGood: boolean[] = [];
  const texts = fc.sample(nearDates, 5000);
  scanner.scan(Buffer.from(texts.map((text) => `"${text}"\n`).join("")), true);
  const expected = texts.map((text) => readDate(text, latest));
  expect(isGood).toEqual(expected.map((date) => date !== CORRUPT_DATE));
  expect(lines.take().toString().split("\n").slice(0, -1)).toEqual(
    expected.map((date) => (date === null || date === CORRUPT_DATE ? "\\N" : date)),
  );
  expect(expected.filter((date) => date?.startsWith("1") || date?.startsWith("2")).length).toBeGreaterThan(
    100,
  );
});

/** The lines for rows of one text cell. */
function linesOf(texts: readonly string[], expectedRows = 0): { lines: string[]; repeated: number } {
  const scanner = new RecordScanner([0], (_, sizeBytes) => {
    lines.begin(sizeBytes);
    lines.text(0);
    lines.end();
  });
  const lines = new CopyLines(scanner, new RepeatedRows(() => expectedRows), new RowCounts(["text"], 0));
  scanner.scan(Buffer.from(texts.map((text) => `"${text.replaceAll('"', '""')}"\n`).join("")), true);
  return { lines: lines.take().toString().split("\n").slice(0, -1), repeated: lines.repeated };
}

test("a row's id is the MD5 of its cells, however long they are", () => {
  const texts = fc.sample(fc.array(fragments, { maxLength: 200 }), 1000).map((parts) => parts.join(""));
  for (const line of linesOf(texts).lines) {
    const [id, ...cells] = line.split("\t");
    expect(id).toBe(hash("md5", cells.join("\t")));
  }
});

test.each([0, 60_000, 80_000])(
  "each of many rows is kept once, in order of first occurrence, when %i are expected",
  (expectedRows) => {
    const texts = Array.from({ length: 100_000 }, (_, index) => `row ${(index * 7919) % 70_000}`);
    const { lines, repeated } = linesOf(texts, expectedRows);
    expect(lines.map((line) => line.split("\t")[1]).join()).toBe([...new Set(texts)].join());
    expect(repeated).toBe(30_000);
  },
);
