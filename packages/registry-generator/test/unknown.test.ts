import { afterAll, describe, expect, test } from "vitest";
import { MOST_ROWS } from "../../../src/importer/checks/check-values.ts";
import { type Row, removeGenerated, rows } from "../../../test/support/registry/generated-registry.ts";
import { shortFormOf } from "../../../test/support/registry/short-form.ts";
import { sharesOf } from "../src/shares.ts";
import { registryOf } from "./registry-of.ts";

afterAll(removeGenerated);

// The words of these columns in FMCSA's dictionaries and in the files seen so far.
const KNOWN: ReadonlyArray<readonly [file: string, column: string, words: RegExp]> = [
  [
    "motus_authhist.csv",
    "REASON",
    /^(granted$|reinstated|involuntary suspension|revoked$|published to fmcsa register$|initial status$|discontinued revocation$|withdrawn|administrative )/i,
  ],
  ["motus_revokesuspend.csv", "ORDER1_TYPE_DESC", /voluntary/i],
  ["motus_inshist.csv", "FILING_STATUS_REASON", /^(CANCEL|Cancelled|TERM\/REPL|NAMECHG|TRANSFER)$/],
  ["motus_insur.csv", "INS_CLASS_CODE", /^[PE12]?$/],
];
const unknownIn = async (dir: string, day: number, [file, column, words]: (typeof KNOWN)[number]) => {
  const list = await rows(dir, day, file);
  return { list, unknown: list.map((row: Row) => row[column] ?? "").filter((value) => !words.test(value)) };
};

describe.each(shortFormOf([1, 2, 3]))("unknown codes in 20,000 carriers from seed %i", (seed) => {
  test("are in each file, few and the same from day to day", async () => {
    const dir = await registryOf({ seed, carriers: 20_000, days: 2 });
    for (const known of KNOWN) {
      const [{ list, unknown }, next] = [await unknownIn(dir, 0, known), await unknownIn(dir, 1, known)];
      expect(unknown.length, known[0]).toBeGreaterThanOrEqual(1);
      expect(unknown.length, known[0]).toBeLessThanOrEqual(list.length * 0.004);
      expect(next.unknown).toEqual(unknown);
    }
  });
});

test.each([300, 1000, 3000])("a registry of %i carriers has no unknown codes", async (carriers) => {
  const dir = await registryOf({ carriers, days: 2 });
  for (const known of KNOWN) expect((await unknownIn(dir, 1, known)).unknown, known[0]).toEqual([]);
});

test.each([450_000, 4_500_000])(
  "a registry of %i carriers has no more unknown codes than an import takes",
  (carriers) => {
    const { unknownCompanies, unknownOrders } = sharesOf(carriers);
    expect(unknownCompanies).toBeGreaterThan(0);
    expect(unknownCompanies).toBeLessThanOrEqual(MOST_ROWS);
    expect(unknownOrders).toBeLessThanOrEqual(unknownCompanies);
  },
);
