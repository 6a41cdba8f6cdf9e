import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  countBy,
  legacyCarriers,
  type Row,
  removeGenerated,
  rows,
  text,
} from "../../../test/support/registry/generated-registry.ts";
import { shortFormOf } from "../../../test/support/registry/short-form.ts";
import { registryOf } from "./registry-of.ts";

afterAll(removeGenerated);

describe.each(shortFormOf([1, 7, 4_294_967_295]))("a registry of 3,000 carriers from seed %i", (seed) => {
  let census: readonly Row[];
  let carriers: readonly Row[];
  let history: readonly Row[];
  let legacy: string[][];
  let legacyHistory: readonly Row[];
  let dir: string;
  beforeAll(async () => {
    dir = await registryOf({ seed, carriers: 3000, days: 1 });
    census = await rows(dir, 0, "census.csv");
    carriers = await rows(dir, 0, "motus_carrier.csv");
    history = await rows(dir, 0, "motus_authhist.csv");
    legacy = await legacyCarriers(dir);
    legacyHistory = await rows(dir, 0, "legacy_authhist.csv");
  });
  // Companies that have applied since the cut-over have USDOT numbers above seven million; a few get no docket.
  const isBroken = (row: Row) =>
    (row.DOCKET_NUMBER === "" && Number(row.USDOT_NUMBER) < 7_000_000) || row.USDOT_NUMBER === "";
  const isRepeated = (list: readonly Row[]) =>
    new Set(list.map((row) => JSON.stringify(row))).size < list.length;

  test("has each oddity of the real files", async () => {
    expect(isRepeated(carriers), "repeated rows").toBe(true);
    expect(isRepeated(history), "repeated rows").toBe(true);
    expect(
      carriers.some((row) => /^[A-Z]{2}-\d+$/.test(row.DOCKET_NUMBER ?? "")),
      "hyphen",
    ).toBe(true);
    expect(
      carriers.some((row) => row.DOCKET_NUMBER?.length === 10),
      "ten characters",
    ).toBe(true);
    expect(
      legacy.some((row) => /^MC0\d{5}$/.test(row[0] ?? "")),
      "leading zero",
    ).toBe(true);
    expect(
      legacy.some((row) => row[1] === "00000000"),
      "no USDOT number",
    ).toBe(true);
    expect(legacy.every((row) => /^\d{8}$/.test(row[1] ?? ""))).toBe(true);
    expect(legacy.some((row) => row[2] === " ") && legacy.some((row) => row[2] === ""), "blank").toBe(true);
    for (const list of [carriers, history]) {
      const broken = countBy(list, isBroken);
      expect(broken).toBeGreaterThanOrEqual(1);
      expect(broken).toBeLessThanOrEqual(12);
    }
    const years = new Set(legacyHistory.map((row) => row.ORIG_SERVED_DATE?.slice(6)));
    expect(
      ["0189", "2044", "2517"].some((year) => years.has(year)),
      "corrupt year",
    ).toBe(true);
    expect(
      history.some((row) => /^(0189|2044|2517)/.test(row.STATUS_CHANGE_DATE ?? "")),
      "corrupt year",
    ).toBe(true);
    expect(
      history.some((row) => /^202[78]/.test(row.STATUS_CHANGE_DATE ?? "")),
      "future date",
    ).toBe(true);
    expect(
      carriers.some((row) => row.BIPD_FILE === "0E-18"),
      "zero in scientific notation",
    ).toBe(true);
    expect(
      carriers.some((row) => row.MIN_COV_AMOUNT === "750000.000000000000000000"),
      "decimals",
    ).toBe(true);
    expect(
      carriers.some((row) => row.MIN_COV_AMOUNT === "750000"),
      "plain amount",
    ).toBe(true);
    expect(
      census.some((row) => / \d{4}$/.test(row.MCS150_DATE ?? "")),
      "update with a time",
    ).toBe(true);
    expect(census.find((row) => row.DOT_NUMBER === "1")?.LEGAL_NAME).toMatch(/^FEDERAL MOTOR CARRIER/);
    expect(
      census.some((row) => /\bTEST\b/.test(row.LEGAL_NAME ?? "")),
      "test name",
    ).toBe(true);
    expect(
      census.some((row) => / {2}/.test(row.LEGAL_NAME ?? "")),
      "double blank",
    ).toBe(true);
    expect(
      census.some((row) => /"/.test(row.LEGAL_NAME ?? "")),
      "quotes",
    ).toBe(true);
    expect(
      census.some((row) => /, (LLC|INC)\.$/.test(row.LEGAL_NAME ?? "")),
      "comma",
    ).toBe(true);
    expect(await text(dir, 0, "motus_carrier.csv"), "byte order mark").toMatch(/^\xEF\xBB\xBF/);
    for (const file of ["census.csv", "legacy_carrier.txt"])
      expect(await text(dir, 0, file), `Latin-1 in ${file}`).toMatch(/PE\xD1A/);
    expect(await text(dir, 0, "census.csv"), "UTF-8").toMatch(/PE\xC3\x91A/);
  });

  test("has placeholder, short and long phones and agents' contacts on many carriers", () => {
    const phones = new Map<string, number>();
    for (const row of census) phones.set(row.PHONE ?? "", (phones.get(row.PHONE ?? "") ?? 0) + 1);
    const shared = [...phones].filter(([phone, count]) => phone !== "" && count > 5);
    expect(shared.length).toBeGreaterThanOrEqual(1);
    expect(
      [...phones.keys()].some((phone) => /^1\d{10}$/.test(phone)),
      "leading 1",
    ).toBe(true);
    expect(
      [...phones.keys()].some((phone) => /^\d{3,9}$/.test(phone)),
      "too short",
    ).toBe(true);
    expect(["0000000000", "1112223333", "1234567890", "9999999999"].some((phone) => phones.has(phone))).toBe(
      true,
    );
    expect(
      [...phones.keys()].some((phone) => /^8(00|33|44|55|66|77|88)/.test(phone)),
      "toll-free",
    ).toBe(true);
    for (const row of census) expect(row.EMAIL_ADDRESS).toMatch(/^$|^[a-z]+@[a-z0-9-]+\.example$/);
  });
});
