import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  FIXTURES,
  type Row,
  removeGenerated,
  rows,
  share,
  text,
  textRows,
} from "../../../test/support/registry/generated-registry.ts";
import { shortFormOf } from "../../../test/support/registry/short-form.ts";
import { companyOf } from "../src/companies/companies.ts";
import { createWorld } from "../src/histories/world.ts";
import { legacyRows } from "../src/legacy/legacy-files.ts";
import { motusRows } from "../src/motus/motus-files.ts";
import { MOTUS_INSHIST_COLUMNS } from "../src/motus/motus-inshist.ts";
import { MOTUS_INSUR_COLUMNS } from "../src/motus/motus-insur.ts";
import { MOTUS_REVOKESUSPEND_COLUMNS } from "../src/motus/motus-revokesuspend.ts";
import { registryOf } from "./registry-of.ts";

afterAll(removeGenerated);

const LIVE = ["motus_revokesuspend.csv", "motus_insur.csv", "motus_inshist.csv"] as const;
const columnsOf = (list: readonly Row[]) => Object.keys(list[0] ?? {});
const repeatedShare = (list: readonly Row[]) =>
  1 - share(new Set(list.map((row) => JSON.stringify(row))).size, list);

describe("the formats", () => {
  let dir: string;
  beforeAll(async () => {
    dir = await registryOf({ carriers: 3000, days: 1 });
  });
  const sample = async (fixture: string) =>
    JSON.parse(await readFile(new URL(fixture, FIXTURES), "utf8")) as Record<string, readonly Row[]>;

  test("of Motus have the columns of the real extracts", async () => {
    const events = await sample("motus_events_sample.json");
    const names = (key: string) => (columnsOf(events[key] ?? []) ?? []).map((name) => name.toUpperCase());
    expect(columnsOf(await rows(dir, 0, "motus_insur.csv"))).toEqual(names("insur_c5y8-a4uz"));
    expect(columnsOf(await rows(dir, 0, "motus_insur.csv"))).toEqual(MOTUS_INSUR_COLUMNS);
    const notices = columnsOf(await rows(dir, 0, "motus_revokesuspend.csv"));
    expect(notices).toEqual(names("revokesuspend_wb4f-neki"));
    expect(notices).toEqual(MOTUS_REVOKESUSPEND_COLUMNS);
    const ended = columnsOf(await rows(dir, 0, "motus_inshist.csv"));
    expect(ended).toEqual(MOTUS_INSHIST_COLUMNS);
    // JSON leaves out empty columns; the others are in the order of the file.
    expect(ended.filter((name) => names("inshist_3uet-3z4i").includes(name))).toEqual(
      names("inshist_3uet-3z4i"),
    );
  });

  test("of the legacy files have as many fields as the real ones, some of them numbers without quotes", async () => {
    expect(new Set((await textRows(dir, "legacy_insur.txt")).map((row) => row.length))).toEqual(new Set([9]));
    expect(new Set((await textRows(dir, "legacy_inshist.txt")).map((row) => row.length))).toEqual(
      new Set([17]),
    );
    expect(columnsOf(await rows(dir, 0, "legacy_actpendinsur.csv"))).toHaveLength(11);
    expect(columnsOf(await rows(dir, 0, "legacy_revocation.csv"))).toEqual([
      "DOCKET_NUMBER",
      "DOT_NUMBER",
      "TYPE_LICENSE",
      "ORDER1_SERVE_DATE",
      "ORDER2_TYPE_DESC",
      "order2_effective_Date",
    ]);
    const { "inshist_daily_txt_lines_xkmg-ff2t": lines } = await sample("legacy_insurance_sample.json");
    const real = String(lines?.[0]);
    const shapeOf = (line: string) => line.replace(/"[^"]*"/g, '""').replace(/,\d+,/, ",0,");
    const [first = ""] = (await text(dir, 0, "legacy_inshist.txt")).split("\n");
    expect(shapeOf(first)).toBe(shapeOf(real));
  });

  test("have amounts in dollars in Motus, padded thousands in legacy Insur, unpadded ones in ActPendInsur", async () => {
    for (const row of await rows(dir, 0, "motus_insur.csv"))
      expect(row.MAX_COV_AMOUNT).toMatch(/^\d{4,}\.00$/);
    for (const row of await textRows(dir, "legacy_insur.txt")) expect(row[3]).toMatch(/^\d{5}$/);
    for (const row of await rows(dir, 0, "legacy_actpendinsur.csv"))
      expect(row.max_cov_amount).toMatch(/^(0|[1-9]\d{1,4})$/);
  });

  test("have each file's date format", async () => {
    for (const row of await rows(dir, 0, "motus_insur.csv")) {
      expect(row.EFFECTIVE_DATE).toMatch(/^\d{8}$/);
      expect(row.TRANS_DATE).toMatch(/^\d{8}$/);
      expect((row.TRANS_DATE ?? "") <= "20261001").toBe(true);
    }
    for (const row of await rows(dir, 0, "motus_inshist.csv"))
      expect(row.CANCL_EFFECTIVE_DATE).toMatch(/^(\d{8})?$/);
    for (const row of await textRows(dir, "legacy_inshist.txt"))
      for (const field of [row[10], row[13]]) expect(field).toMatch(/^\d{2}\/\d{2}\/\d{4}$/);
    for (const row of await rows(dir, 0, "legacy_revocation.csv"))
      expect(row.ORDER1_SERVE_DATE).toMatch(/^(\d{2}\/\d{2}\/\d{4})?$/);
  });

  test("have the same policies in legacy Insur and ActPendInsur", async () => {
    const policies = (await textRows(dir, "legacy_insur.txt")).map((row) => [row[0], row[5], row[6]].join());
    const dated = (await rows(dir, 0, "legacy_actpendinsur.csv")).map((row) =>
      [row.DOCKET_NUMBER, row.policy_no, row.effective_date].join(),
    );
    expect(dated).toEqual(policies);
  });
});

describe.each(shortFormOf([1, 7, 4_294_967_295]))(
  "the insurance and notices of 3,000 carriers from seed %i",
  (seed) => {
    let dir: string;
    let [notices, policies, ended]: (readonly Row[])[] = [[], [], []];
    beforeAll(async () => {
      dir = await registryOf({ seed, carriers: 3000, days: 1 });
      [notices, policies, ended] = await Promise.all(LIVE.map((file) => rows(dir, 0, file)));
    });
    const some = (list: readonly Row[] | undefined, column: string, pattern: RegExp) =>
      list?.some((row) => pattern.test(row[column] ?? "")) === true;

    test("repeat rows: more than half of Insur, a third of InsHist, some of RevokeSuspend", () => {
      expect(repeatedShare(policies ?? [])).toBeGreaterThan(0.5);
      expect(repeatedShare(policies ?? [])).toBeLessThan(0.65);
      expect(repeatedShare(ended ?? [])).toBeGreaterThan(0.25);
      expect(repeatedShare(ended ?? [])).toBeLessThan(0.42);
      expect(repeatedShare(notices ?? [])).toBeGreaterThan(0.01);
    });

    test("have each oddity of the real files", async () => {
      expect(some(notices, "DOCKET_NUMBER", /^(MC|FF)-\d+$/), "hyphen").toBe(true);
      expect(notices?.every((row) => /^((MC|FF|MX)-\d+)?$/.test(row.DOCKET_NUMBER ?? ""))).toBe(true);
      const voluntary = notices?.filter((row) => /Voluntary/.test(row.ORDER1_TYPE_DESC ?? "")) ?? [];
      expect(voluntary.length).toBeGreaterThan(0);
      expect(voluntary.every((row) => row.DOCKET_NUMBER === "")).toBe(true);
      expect(some(notices, "ORDER1_TYPE_DESC", /^INVOLUNTARY REVOCATION$/), "capitals").toBe(true);
      expect(some(notices, "ORDER1_TYPE_DESC", /@/), "e-mail in a notice").toBe(true);
      expect(some(notices, "ORDER1_SERVE_DATE", /^202711|^20271|^2517/), "future or corrupt date").toBe(true);
      expect(some(ended, "INSURANCE_COMPANY_NAME", /@/), "e-mail in a name").toBe(true);
      expect(some(ended, "DOCKET_NUMBER", /-/) && some(ended, "DOCKET_NUMBER", /^MC\d/), "both dockets").toBe(
        true,
      );
      expect(some(ended, "CANCL_EFFECTIVE_DATE", /^$/), "no date").toBe(true);
      expect(some(ended, "CANCL_EFFECTIVE_DATE", /^20261[012]/), "an end to come").toBe(true);
      expect(some(ended, "INS_TYPE_IND", /^ $/), "blank as a space").toBe(true);
      for (const list of [policies, ended]) {
        expect(some(list, "EFFECTIVE_DATE", /^(0189|2044|2517)/), "corrupt year").toBe(true);
        expect(some(list, "DOCKET_NUMBER", /^$/), "no docket").toBe(true);
        expect(some(list, "USDOT_NUMBER", /^$/), "no USDOT number").toBe(true);
      }
      expect(await text(dir, 0, "motus_insur.csv"), "byte order mark").toMatch(/^\xEF\xBB\xBF/);
      for (const file of ["motus_insur.csv", "legacy_actpendinsur.csv"]) {
        expect(await text(dir, 0, file), `Latin-1 in ${file}`).toMatch(/pe\xF1|PE\xD1/i);
        expect(await text(dir, 0, file), `UTF-8 in ${file}`).toMatch(/pe\xC3\xB1|PE\xC3\x91/i);
      }
      const keys = (list: readonly Row[] | undefined) => new Set(list?.map((row) => row.POLICY_NO));
      const retyped = [...keys(ended)].filter((number) => !keys(policies).has(number));
      const bare = new Set([...keys(policies)].map((number) => number?.replace(/[ -]/g, "")));
      expect(
        retyped.some((number) => bare.has(number?.replace(/[ -]/g, ""))),
        "another spelling",
      ).toBe(true);
    });

    test("cover every kind of insurance, and amounts that differ between near-duplicates", () => {
      expect(new Set(policies?.map((row) => row.INS_TYPE_CODE))).toEqual(new Set(["1", "2", "3", "4"]));
      expect(some(policies, "INS_CLASS_CODE", /^E$/), "excess").toBe(true);
      const amounts = Map.groupBy(policies ?? [], (row) => JSON.stringify({ ...row, MAX_COV_AMOUNT: "" }));
      const differ = [...amounts.values()].some(
        (same) => new Set(same.map((row) => row.MAX_COV_AMOUNT)).size > 1,
      );
      expect(differ).toBe(true);
    });

    test("know of revocations of every form in the legacy files", async () => {
      const revoked = await rows(dir, 0, "legacy_revocation.csv");
      expect(new Set(revoked.map((row) => row.TYPE_LICENSE))).toEqual(
        new Set(["COMMON", "CONTRACT", "BROKER", ""]),
      );
      expect(
        some(revoked, "ORDER2_TYPE_DESC", /^INVOLUNTARY/) && some(revoked, "ORDER2_TYPE_DESC", /^VOLUNTARY/),
      ).toBe(true);
      expect(some(revoked, "order2_effective_Date", /^$/)).toBe(true);
    });
  },
);

test("a registry of 50,000 carriers has the real proportions of rows", () => {
  const real = { censusColumns: [], legacyFrozenOn: "2026-05-14", counties: [] };
  const size = { carriers: 50_000, firstDay: "2026-10-01", dailyEdits: undefined };
  const world = createWorld(real, { seed: 1, ...size });
  const counts = new Map<string, number>();
  // Every fifth company: their histories are spread evenly.
  for (let index = 0; index < size.carriers; index += 5) {
    const company = companyOf(world, index, world.firstDay);
    const files = [
      ...Object.entries(motusRows(world, company, world.firstDay)),
      ...Object.entries(legacyRows(world, company)).map(([file, list]) => [`legacy ${file}`, list] as const),
    ];
    for (const [file, list] of files) counts.set(file, (counts.get(file) ?? 0) + list.length);
  }
  for (const [file, least, most] of [
    ["revokeSuspend", 0.002, 0.008],
    ["insur", 0.02, 0.045],
    ["insHist", 0.007, 0.02],
    ["legacy revocation", 0.27, 0.4],
    ["legacy insur", 0.08, 0.13],
    ["legacy actPendInsur", 0.08, 0.13],
    ["legacy insHist", 1.3, 1.9],
  ] as const) {
    const each = (5 * (counts.get(file) ?? 0)) / size.carriers;
    expect(each, file).toBeGreaterThan(least);
    expect(each, file).toBeLessThan(most);
  }
});

test("a registry of 20,000 carriers has a short legacy InsHist", async () => {
  const dir = await registryOf({ carriers: 20_000, days: 1 });
  expect((await textRows(dir, "legacy_inshist.txt")).length).toBeLessThanOrEqual(6_000);
});
