import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvRowEnd } from "../../../src/feeds/export/format.ts";
import { RowWriter } from "../../../src/feeds/export/row-writer.ts";
import { NO_REMOVALS } from "../../../src/feeds/versions/removals.ts";

describe("rows of a file", () => {
  const licence = csvRowEnd("LIC-7K2M9QXA");
  const shape = { droppedBytes: 0, end: licence };
  const line = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replaceAll("\n", " "));

  it("are the same for any chunks of the file", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, fc.boolean()), { maxLength: 30 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        (lines, isWhole, pieceBytes) => {
          const wanted = lines.flatMap(([, isWanted], index) => (isWanted ? [index + 1] : []));
          const writer = new RowWriter(shape, {
            listed: isWhole ? null : Int32Array.from(wanted),
            removed: NO_REMOVALS.positions,
          });
          const file = Buffer.from(lines.map(([text]) => `${text}\n`).join(""));
          const chunks: Buffer[] = [];
          let rows = 0;
          for (let at = 0; at < file.length; at += pieceBytes) {
            const finishedRows = writer.write(file.copy(writer.chunkBuffer, 0, at, at + pieceBytes));
            chunks.push(finishedRows.bytes);
            rows += finishedRows.rows;
          }
          const expected = lines.filter(([, isWanted]) => isWhole || isWanted);
          expect(Buffer.concat(chunks).toString()).toBe(
            expected.map(([text]) => `${text}${licence}`).join(""),
          );
          expect(rows).toBe(expected.length);
          expect(writer.isDone).toBe(!isWhole && rows === wanted.length);
        },
      ),
    );
  });

  it("longer than the input end the export with an error", () => {
    const writer = new RowWriter(shape, { listed: null, removed: NO_REMOVALS.positions });
    writer.write(writer.chunkBuffer.fill("x").length);
    expect(() => writer.chunkBuffer).toThrow(/more than 262144 bytes/);
  });

  it("end with a plain licence reference only", () => {
    for (const reference of ["", "=1+1", "LIC-1,2", 'LIC"', "LIC-1\r\nX: y", "-1", "LIC É"]) {
      expect(() => csvRowEnd(reference)).toThrow(/Not a licence reference/);
    }
  });
});
