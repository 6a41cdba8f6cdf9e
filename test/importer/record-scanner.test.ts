import { hash } from "node:crypto";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CopyLines } from "../../src/importer/copy-lines.ts";
import { OpenQuoteError, RecordScanner } from "../../src/importer/record-scanner.ts";

/** What a reader of CSV in wide use makes of it, told to take quotes as they come, as old registry text has them. */
function peer(csv: string): string[][] | "open quote" {
  try {
    return parse(Buffer.from(csv), {
      ...{ record_delimiter: ["\r\n", "\n"], relax_column_count: true, relax_quotes: true },
      skip_empty_lines: true,
    });
  } catch (error) {
    expect(error).toMatchObject({ code: "CSV_QUOTE_NOT_CLOSED" });
    return "open quote";
  }
}

/** The same by our own, from blocks that end at these places. */
function scanned(csv: string, cuts: readonly number[] = []): string[][] | "open quote" {
  const bytes = Buffer.from(csv);
  const places = [...Array(MOST_FIELDS).keys()];
  const records: string[][] = [];
  const scanner = new RecordScanner(places, (width) => {
    records.push(places.slice(0, width).map((place) => scanner.field(place)));
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

// Little else than what has a meaning, so that the meanings meet.
const pieces = fc.constantFrom(
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
const csvText = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));

test("CSV is read as others read it, whatever stands in it", () => {
  fc.assert(
    fc.property(csvText, (csv) => void expect(scanned(csv)).toEqual(peer(csv))),
    { numRuns: 3000 },
  );
});

test("where a file is cut into blocks makes no difference", () => {
  fc.assert(
    fc.property(
      csvText,
      fc.array(fc.nat(60), { maxLength: 4 }),
      (csv, cuts) => void expect(scanned(csv, cuts)).toEqual(scanned(csv)),
    ),
    { numRuns: 2000 },
  );
});

/** The lines that rows of one text cell become. */
function linesOf(texts: readonly string[]): { lines: string[]; repeated: number } {
  const scanner = new RecordScanner([0], (_, sizeBytes) => {
    lines.begin(sizeBytes);
    lines.text(0);
    lines.end();
  });
  const lines = new CopyLines(scanner, true);
  scanner.scan(Buffer.from(texts.map((text) => `"${text.replaceAll('"', '""')}"\n`).join("")), true);
  return { lines: lines.take().toString().split("\n").slice(0, -1), repeated: lines.repeated };
}

test("a row's id is the MD5 of its cells, however long they are", () => {
  const texts = fc.sample(fc.array(pieces, { maxLength: 200 }), 1000).map((parts) => parts.join(""));
  for (const line of linesOf(texts).lines) {
    const [id, ...cells] = line.split("\t");
    expect(id).toBe(hash("md5", cells.join("\t")));
  }
});

test("each row of many stands once, the first time it comes", () => {
  const texts = Array.from({ length: 100_000 }, (_, place) => `row ${(place * 7919) % 70_000}`);
  const { lines, repeated } = linesOf(texts);
  expect(lines.map((line) => line.split("\t")[1]).join()).toBe([...new Set(texts)].join());
  expect(repeated).toBe(30_000);
});
