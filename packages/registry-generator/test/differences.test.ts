import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  differenceRows,
  generate,
  MOTUS_FILES,
  type Row,
  removeGenerated,
  rows,
} from "../../../test/support/registry/generated-registry.ts";
import { shortFormOf } from "../../../test/support/registry/short-form.ts";
import { registryOf } from "./registry-of.ts";

afterAll(removeGenerated);

const docketOf = (row: Row) =>
  (row.DOCKET_NUMBER ?? "").replace(/[^A-Z0-9]/g, "").replace(/^([A-Z]+)0+/, "$1");
const textOf = (row: Row) => JSON.stringify(row);
const KEY = ["DOCKET_NUMBER", "USDOT_NUMBER"];
const usdotOf = (row: Row) => (row.USDOT_NUMBER ?? "").replace(/^0+/, "");
const isRemoval = (row: Row) =>
  (docketOf(row) !== "" || usdotOf(row) !== "") &&
  Object.entries(row).every(([column, value]) => KEY.includes(column) || /^0*$/.test(value));
const isRemovedBy = (row: Row) => (removal: Row) =>
  docketOf(removal) === docketOf(row) && (usdotOf(removal) === "" || usdotOf(removal) === usdotOf(row));
/** Applies many removals at once. */
const removedBy = (removals: readonly Row[]) => {
  const keys = new Set(removals.map((removal) => `${docketOf(removal)} ${usdotOf(removal)}`));
  return (row: Row) => keys.has(`${docketOf(row)} `) || keys.has(`${docketOf(row)} ${usdotOf(row)}`);
};

/** The content of the Motus files: rows by file, as texts. Differences change it by the registry's rules. */
class Content {
  readonly files = new Map(MOTUS_FILES.map((file) => [file, new Map<string, Row>()]));

  take(file: string, list: readonly Row[]): void {
    const stored = this.files.get(file) as Map<string, Row>;
    const isRemoved = removedBy(list.filter(isRemoval));
    const authorities = new Set(file === "motus_carrier.csv" ? list.map(authorityOf) : []);
    for (const [text, row] of stored)
      if (isRemoved(row) || authorities.has(authorityOf(row))) stored.delete(text);
    for (const row of list) if (!isRemoval(row) && canBeRead(file, row)) stored.set(textOf(row), row);
  }

  /** Rows that only one of the two has. */
  unlike(other: Content): string[] {
    return MOTUS_FILES.flatMap((file) => {
      const [one, two] = [this.files.get(file), other.files.get(file)];
      const onlyOf = (here: typeof one, there: typeof one, side: string) =>
        [...(here?.keys() ?? [])]
          .filter((text) => !there?.has(text))
          .map((text) => `${side} ${file} ${text}`);
      return [...onlyOf(one, two, "left over:"), ...onlyOf(two, one, "missing:")];
    });
  }
}

const authorityOf = (row: Row) => `${docketOf(row)} ${row.USDOT_NUMBER} ${row.OP_AUTH_TYPE}`;

/** Carrier needs a USDOT number; the other files need that or a docket. */
const canBeRead = (file: string, row: Row): boolean =>
  usdotOf(row) !== "" || (file !== "motus_carrier.csv" && docketOf(row) !== "");

const REGISTRIES = [
  { seed: 1, carriers: 3000, days: 12 },
  { seed: 2, carriers: 500, days: 12, firstDay: "2026-05-10" },
  { seed: 7, carriers: 3000, days: 12, firstDay: "2026-06-10" },
  { seed: 3, carriers: 400, days: 60 },
];

describe.each(shortFormOf(REGISTRIES, 2))(
  "the daily differences of $carriers carriers from seed $seed",
  (options) => {
    let dir: string;
    const whole = async (day: number) => {
      const content = new Content();
      for (const file of MOTUS_FILES) content.take(file, await rows(dir, day, file));
      return content;
    };
    beforeAll(async () => {
      dir = await registryOf({ ...options, differences: true });
    });

    test("applied in order to the first day give each day's full files", async () => {
      const content = await whole(0);
      for (let day = 1; day < options.days; day += 1) {
        for (const file of MOTUS_FILES) content.take(file, await differenceRows(dir, day, file));
        expect(content.unlike(await whole(day)), `day ${day}`).toEqual([]);
      }
    });

    test("are small, and mostly new rows with some old ones", async () => {
      let [inDifferences, inFull, isNew] = [0, 0, 0];
      for (let day = 1; day < Math.min(options.days, 12); day += 1) {
        for (const file of MOTUS_FILES) {
          const before = new Set((await rows(dir, day - 1, file)).map(textOf));
          const list = await differenceRows(dir, day, file);
          inDifferences += list.length;
          inFull += before.size;
          isNew += list.filter((row) => !before.has(textOf(row))).length;
        }
      }
      expect(inDifferences).toBeLessThan(inFull * 0.2);
      expect(isNew).toBeGreaterThan(0);
      expect(isNew).toBeLessThan(inDifferences);
    });
  },
);

describe("a day's folder of differences", () => {
  let dir: string;
  beforeAll(async () => {
    dir = await registryOf({ carriers: 3000, days: 12 });
  });

  test("has only Motus files, and the first day has none", async () => {
    expect((await readdir(join(dir, "day-01-difference"))).sort()).toEqual([...MOTUS_FILES].sort());
    const folders = await readdir(dir);
    expect(folders).not.toContain("day-00-difference");
    expect(folders).toHaveLength(23);
  });

  test("removes policies by rows that are blank or zero except for the docket, followed by the rows that remain", async () => {
    const removals: Row[] = [];
    let remaining = 0;
    for (let day = 1; day < 12; day += 1) {
      const list = await differenceRows(dir, day, "motus_insur.csv");
      const full = await rows(dir, day, "motus_insur.csv");
      list.forEach((row, at) => {
        if (!isRemoval(row)) return;
        removals.push(row);
        const left = full.filter((other) => docketOf(other) === docketOf(row)).map(textOf);
        const given = list
          .slice(at + 1)
          .filter((other) => docketOf(other) === docketOf(row) && !isRemoval(other));
        expect(given.map(textOf)).toEqual(left);
        remaining += left.length;
      });
    }
    expect(removals.some((row) => row.MAX_COV_AMOUNT === "")).toBe(true);
    expect(removals.some((row) => row.MAX_COV_AMOUNT === "00000")).toBe(true);
    expect(remaining).toBeGreaterThan(0);
  });

  // In every file, a row that is blank except for its key deletes the rows with that key.
  test("removes rows of each file by a row that is blank except for docket and USDOT number", async () => {
    for (const file of MOTUS_FILES) {
      const removals: Row[] = [];
      for (let day = 1; day < 12; day += 1) {
        const before = (await rows(dir, day - 1, file)).map(textOf);
        const now = new Set((await rows(dir, day, file)).map(textOf));
        const deleted = before.filter((text) => !now.has(text)).map((text) => JSON.parse(text) as Row);
        for (const row of await differenceRows(dir, day, file)) {
          if (!isRemoval(row) || usdotOf(row) === "") continue;
          removals.push(row);
          expect(
            deleted.some((other) => isRemovedBy(other)(row)),
            `${file} ${textOf(row)}`,
          ).toBe(true);
        }
      }
      expect(removals.length, file).toBeGreaterThanOrEqual(1);
    }
  });

  test("is written only on request", async () => {
    expect((await readdir(await generate({ carriers: 50, days: 2 }))).sort()).toEqual(["day-00", "day-01"]);
  });
});
