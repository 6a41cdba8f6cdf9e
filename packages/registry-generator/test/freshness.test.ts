import { afterAll, expect, test } from "vitest";
import { removeGenerated, text } from "../../../test/support/registry/generated-registry.ts";
import { shortFormOf } from "../../../test/support/registry/short-form.ts";
import { registryOf } from "./registry-of.ts";

afterAll(removeGenerated);

const dateOf = (day: number) =>
  new Date(Date.UTC(2026, 9, 1 + day)).toISOString().slice(0, 10).replaceAll("-", "");

/** The newest day up to `today` in a column of the file, and the days after it. Lines are split at commas. */
async function days(dir: string, day: number, file: string, columns: readonly number[]) {
  const lines = (await text(dir, day, file)).split("\n").slice(1, -1);
  const found = lines.flatMap((line) => {
    const fields = line.split(",");
    return columns.map((column) => (fields.at(column) ?? "").slice(0, 8));
  });
  const today = dateOf(day);
  const newest = found.reduce((max, date) => (date <= today && date > max ? date : max), "");
  return { newest, later: found.filter((date) => date > today) };
}

// Other tests read the first two as well (registry-of.ts), so they are made anyway.
const REGISTRIES = [
  { carriers: 3000, seed: 1, length: 12 },
  { carriers: 20_000, seed: 1, length: 2 },
  { carriers: 1000, seed: 1, length: 30 },
  { carriers: 20_000, seed: 3, length: 2 },
  { carriers: 1000, seed: 2, length: 30 },
  { carriers: 1000, seed: 3, length: 30 },
  { carriers: 3000, seed: 2, length: 30 },
];

// The service takes each file's age from the rows' own days.
test.each(shortFormOf(REGISTRIES, 2))(
  "each of $length days of $carriers carriers brings rows of its own date to every file, from seed $seed",
  async ({ carriers, seed, length }) => {
    const dir = await registryOf({ carriers, seed, days: length });
    for (let day = 0; day < length; day += 1) {
      const census = await days(dir, day, "census.csv", [0, 1]);
      expect(census).toEqual({ newest: dateOf(day), later: [] });
      const freshEnough = dateOf(day - 2);
      for (const [file, column] of [
        ["motus_authhist.csv", -1],
        ["motus_revokesuspend.csv", -3],
        ["motus_insur.csv", -1],
      ] as const) {
        const { newest } = await days(dir, day, file, [column]);
        expect(newest >= freshEnough, `${file} of ${dateOf(day)}: ${newest}`).toBe(true);
      }
    }
  },
);
