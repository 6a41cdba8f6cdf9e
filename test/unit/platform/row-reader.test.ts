import { mkdtemp, open, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RowReader } from "../../../src/platform/row-reader.ts";

/** Long enough that rows far from each other are not read together. */
const LINES = Array.from({ length: 900 }, (_, index) =>
  `${index + 1} É `.repeat(index % 5 === 0 ? 1 : 1 + (index % 700)),
);
const NO_ROOM = { before: 0, after: 0 };

let folder: string;
let file: string;
const lengths = Uint32Array.from(LINES, (line) => Buffer.byteLength(line));

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "rows-"));
  file = path.join(folder, "rows.ndjson");
  await writeFile(file, LINES.map((line) => `${line}\n`).join(""));
});
afterAll(() => rm(folder, { recursive: true }));

async function withReader<T>(use: (reader: RowReader) => Promise<T>, slowMs?: number): Promise<T> {
  const reader = new RowReader(await open(file), lengths, slowMs);
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

const linesAt = (positions: readonly number[]): string =>
  positions.map((position) => `${LINES[position - 1]}\n`).join("");
/** Every n-th row. */
const every = (step: number): number[] =>
  LINES.flatMap((_, index) => (index % step === 0 ? [index + 1] : []));

describe("rows of a file by position", () => {
  it.each([
    ["none", []],
    ["one", [450]],
    ["few far from each other", [1, 300, 600, 900]],
    ["many far from each other", every(30)],
    ["neighbours and some between", every(3)],
    ["all", every(1)],
  ])("%s, from memory and from a disk that is waited for", async (_which, positions) => {
    for (const slowMs of [Infinity, -1]) {
      const found = await withReader(
        (reader) => reader.read(Int32Array.from(positions), { before: 2, after: 1 }),
        slowMs,
      );
      found.write("[[");
      found.write("]", found.length - 1);
      expect(String(found)).toBe(`[[${linesAt(positions)}]`);
    }
  });

  it("a range", async () => {
    const found = await withReader((reader) => reader.read({ from: 7, to: 400 }, NO_ROOM));
    expect(String(found)).toBe(linesAt(every(1).slice(6, 400)));
  });

  it.each([
    ["few", [1, 900]],
    ["many", every(30)],
  ])("%s of a file that was cut are an error, never half of them", async (_which, positions) => {
    await withReader(async (reader) => {
      await truncate(file, 1_000_000);
      await expect(reader.read(Int32Array.from(positions), NO_ROOM)).rejects.toThrow("The file ends at byte");
    });
    await writeFile(file, LINES.map((line) => `${line}\n`).join(""));
  });
});
