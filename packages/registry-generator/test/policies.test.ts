import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  legacyCarriers,
  type Row,
  removeGenerated,
  rows,
} from "../../../test/support/registry/generated-registry.ts";
import { shortFormOf } from "../../../test/support/registry/short-form.ts";
import { registryOf } from "./registry-of.ts";

afterAll(removeGenerated);

const bare = (docket = "") => docket.replace("-", "").replace(/^([A-Z]+)0+/, "$1");
const policyKey = (row: Row) => (row.POLICY_NO ?? "").replace(/[^A-Z0-9]/g, "");
const instant = (day = "") => Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
const daysFrom = (one: string | undefined, other: string | undefined) =>
  (instant(other) - instant(one)) / 86_400_000;

describe.each(shortFormOf([1, 7]))("the policies of 20,000 carriers from seed %i", (seed) => {
  let dir: string;
  let [policies, ended, carriers]: (readonly Row[])[] = [[], [], []];
  let filed = new Map<string, readonly Row[]>();
  beforeAll(async () => {
    dir = await registryOf({ seed, carriers: 20_000, days: 1 });
    [policies, ended, carriers] = await Promise.all(
      ["insur", "inshist", "carrier"].map((file) => rows(dir, 0, `motus_${file}.csv`)),
    );
    filed = Map.groupBy(policies ?? [], (row) => bare(row.DOCKET_NUMBER));
  });
  const filedFor = (row: Row) => filed.get(bare(row.DOCKET_NUMBER)) ?? [];
  const cancelled = () =>
    (ended ?? []).filter(
      (row) => row.FILING_STATUS_REASON === "CANCEL" && (row.CANCL_EFFECTIVE_DATE ?? "") > "20260514",
    );

  test("keep an excess policy when the primary one is cancelled", () => {
    const held = new Set(
      (carriers ?? []).filter((row) => row.OP_AUTH_STATUS === "Active").map((row) => bare(row.DOCKET_NUMBER)),
    );
    const alone = cancelled().filter((row) => {
      const others = filedFor(row).filter(
        (other) => other.INS_TYPE_CODE === "1" && policyKey(other) !== policyKey(row),
      );
      return (
        row.INS_CLASS_CODE === "P" &&
        (row.CANCL_EFFECTIVE_DATE ?? "") > "20260901" &&
        others.length > 0 &&
        others.every((other) => other.INS_CLASS_CODE === "E")
      );
    });
    expect(alone.length).toBeGreaterThanOrEqual(1);
    expect(alone.some((row) => held.has(bare(row.DOCKET_NUMBER)))).toBe(true);
  });

  test.each([
    ["a bond by a trust fund", "TERM/REPL", "3", "4"],
    ["a trust fund by a bond", "TERM/REPL", "4", "3"],
    ["a cancelled bond by a trust fund filed before its end", "CANCEL", "3", "4"],
  ])("replace %s", (_name, reason, from, to) => {
    const replaced = (ended ?? []).filter(
      (row) =>
        row.FILING_STATUS_REASON === reason &&
        row.INS_TYPE_CODE === from &&
        (row.CANCL_EFFECTIVE_DATE ?? "") > "20260514" &&
        filedFor(row).some(
          (other) =>
            other.INS_TYPE_CODE === to &&
            other.INS_FORM_CODE === (to === "4" ? "BMC-85" : "BMC-84") &&
            (other.TRANS_DATE ?? "") <= (row.CANCL_EFFECTIVE_DATE ?? "") &&
            daysFrom(row.CANCL_EFFECTIVE_DATE, other.EFFECTIVE_DATE) <= 1,
        ),
    );
    expect(replaced.length).toBeGreaterThanOrEqual(1);
  });

  test("include cancelled policies filed less than 30 days before, a few of them filed again", () => {
    const counts = { once: 0, again: 0 };
    const seen = new Set<string>();
    for (const row of cancelled()) {
      const key = `${bare(row.DOCKET_NUMBER)} ${policyKey(row)}`;
      const filings = new Set(
        filedFor(row)
          .filter((other) => policyKey(other) === policyKey(row) && other.INS_TYPE_CODE === row.INS_TYPE_CODE)
          .map((other) => other.TRANS_DATE ?? ""),
      );
      const isLate = [...filings].every((day) => {
        const before = daysFrom(day, row.CANCL_EFFECTIVE_DATE);
        return before > 0 && before < 30;
      });
      if (policyKey(row) === "" || filings.size === 0 || !isLate || seen.has(key)) continue;
      seen.add(key);
      counts[filings.size > 1 ? "again" : "once"] += 1;
    }
    expect(counts.once).toBeGreaterThanOrEqual(1);
    expect(counts.again).toBeGreaterThanOrEqual(1);
  });

  test("have phones that are not in the census, an agent's phone among them", async () => {
    const census = await rows(dir, 0, "census.csv");
    const phoneless = new Set(
      census.filter((row) => row.PHONE === "" && row.STATUS_CODE === "A").map((row) => row.DOT_NUMBER),
    );
    const digits = (phone = "") => phone.replace(/^\+1|\D/g, "");
    const inMotus = (carriers ?? [])
      .filter((row) => row.OP_AUTH_STATUS === "Active")
      .map((row) => [row.USDOT_NUMBER, digits(row.BUS_TELNO)]);
    const inLegacy = (await legacyCarriers(dir))
      .filter((row) => [row[4], row[5], row[6]].includes("A"))
      .map((row) => [String(Number(row[1])), digits(row[33])]);
    const known = (list: (string | undefined)[][]) =>
      new Map(list.filter(([dot, phone]) => phoneless.has(dot) && phone).map(([dot, phone]) => [dot, phone]));
    expect(known(inMotus).size).toBeGreaterThanOrEqual(3);
    expect(known(inLegacy).size).toBeGreaterThanOrEqual(10);
    const uses = Map.groupBy(known([...inMotus, ...inLegacy]).values(), (phone) => phone);
    const agents = [...uses].filter(([, list]) => list.length > 5).map(([phone]) => phone);
    expect(agents).toHaveLength(1);
    // Only the authority files show how often it is used.
    expect(census.some((row) => row.PHONE === agents[0] || row.CELL_PHONE === agents[0])).toBe(false);
  });
});
