import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  countBy,
  legacyCarriers,
  type Row,
  removeGenerated,
  rows,
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
  const activeUs = () =>
    new Map(
      census
        .filter((row) => row.STATUS_CODE === "A" && row.PHY_COUNTRY === "US")
        .map((row) => [row.DOT_NUMBER, row]),
    );
  const _isRepeated = (list: readonly Row[]) =>
    new Set(list.map((row) => JSON.stringify(row))).size < list.length;

  test("has rows for every feed and event type", () => {
    const active = activeUs();
    const granted = history.filter(
      ({ REASON, OP_AUTH_TYPE, STATUS_CHANGE_DATE, USDOT_NUMBER }) =>
        REASON === "Granted" &&
        OP_AUTH_TYPE?.includes("Motor Carrier") &&
        (STATUS_CHANGE_DATE ?? "") >= "20260903" &&
        active.has(USDOT_NUMBER),
    );
    expect(new Set(granted.map((row) => row.USDOT_NUMBER)).size).toBeGreaterThanOrEqual(30);
    const inMotus = new Set(carriers.map((row) => row.USDOT_NUMBER));
    const holders = new Set(
      carriers.filter((row) => row.OP_AUTH_STATUS === "Active").map((row) => row.USDOT_NUMBER),
    );
    let brokers = countBy(
      carriers,
      (row) => row.OP_AUTH_STATUS === "Active" && /^Broker/.test(row.OP_AUTH_TYPE ?? ""),
    );
    for (const row of legacy) {
      const dot = String(Number(row[1]));
      if (inMotus.has(dot)) continue;
      if (row[4] === "A" || row[5] === "A") holders.add(dot);
      if (row[6] === "A") brokers += 1;
    }
    const small = [...holders].map((dot) => Number(active.get(dot)?.POWER_UNITS ?? 0));
    expect(countBy(small, (units) => units >= 1 && units <= 20)).toBeGreaterThanOrEqual(300);
    expect(brokers).toBeGreaterThanOrEqual(60);
    for (const status of ["Active", "Pending", "Inactive", "Withdrawn"])
      expect(
        carriers.some((row) => row.OP_AUTH_STATUS === status),
        status,
      ).toBe(true);
    expect(carriers.some((row) => row.OP_AUTH_TYPE?.startsWith("Freight Forwarder"))).toBe(true);
    expect(legacy.some((row) => row[0]?.startsWith("FF"))).toBe(true);
    expect(
      legacy.some((row) => row[10] === "Y"),
      "pending revocation",
    ).toBe(true);
    expect(
      legacy.some((row) => row[7] === "Y"),
      "pending application",
    ).toBe(true);
    expect(
      legacy.some((row) => row[4] === "A" && row[6] === "A"),
      "carrier and broker",
    ).toBe(true);
    expect(
      legacy.some((row) => row[14] === "Y"),
      "passengers",
    ).toBe(true);
    expect(
      legacy.some((row) => row[15] === "Y"),
      "household goods",
    ).toBe(true);
    for (const reason of [
      /^Involuntary Suspension - insurance/,
      /^Reinstated/,
      /^Withdrawn by .+@/,
      /^GRANTED$/,
      /^REINSTATED$/,
    ])
      expect(
        history.some((row) => reason.test(row.REASON ?? "")),
        String(reason),
      ).toBe(true);
  });

  test("has every state code that the tests of filters use", () => {
    const states = new Set(census.map((row) => row.PHY_STATE));
    for (const state of ["PR", "VI", "GU", "AS", "MP", "TX", "FL", "IN", "TN"])
      expect(states).toContain(state);
    expect(new Set(census.map((row) => row.STATUS_CODE))).toEqual(new Set(["A", "I", "P"]));
  });

  test("has companies that were revoked and granted again years later", () => {
    const grants = new Map<string, string[]>();
    for (const row of legacyHistory) {
      if (row.ORIGINAL_ACTION_DESC !== "GRANTED" || /0189|2044|2517/.test(row.ORIG_SERVED_DATE ?? ""))
        continue;
      const key = `${row.DOCKET_NUMBER} ${/COMMON|CONTRACT|BROKER/.exec(row.OP_AUTH_TYPE ?? "")}`;
      grants.set(key, [...(grants.get(key) ?? []), row.ORIG_SERVED_DATE?.slice(6) ?? ""]);
    }
    expect([...grants.values()].some((years) => Number(years[1]) - Number(years[0]) >= 2)).toBe(true);
  });
});
