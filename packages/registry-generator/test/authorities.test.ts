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

const LAST = 1;
const TODAY = "20261002";
const bare = (docket = "") => docket.replace("-", "").replace(/^([A-Z]+)0+/, "$1");
const keyOf = (row: Row) => `${bare(row.DOCKET_NUMBER)} ${row.USDOT_NUMBER} ${row.OP_AUTH_TYPE}`;
const isProperty = (row: Row) => /^Motor Carrier of Property/.test(row.OP_AUTH_TYPE ?? "");
const isNotice = (row: Row) => /Involuntary Suspension Notice/.test(row.ORDER1_TYPE_DESC ?? "");

describe.each(shortFormOf([1, 7]))("the authorities of 20,000 carriers from seed %i", (seed) => {
  let dir: string;
  let [carriers, history, notices]: (readonly Row[])[] = [[], [], []];
  beforeAll(async () => {
    dir = await registryOf({ seed, carriers: 20_000, days: LAST + 1 });
    [carriers, history, notices] = await Promise.all(
      ["carrier", "authhist", "revokesuspend"].map((file) => rows(dir, LAST, `motus_${file}.csv`)),
    );
  });
  const active = () => (carriers ?? []).filter((row) => row.OP_AUTH_STATUS === "Active");
  const byCompany = (list: readonly Row[]) => [...Map.groupBy(list, (row) => row.USDOT_NUMBER).values()];
  const dockets = (list: readonly Row[]) => new Set(list.map((row) => bare(row.DOCKET_NUMBER)));

  test("include companies with the same authority on two dockets, in Motus and in the legacy files", async () => {
    const inMotus = byCompany(active().filter((row) => isProperty(row) && row.USDOT_NUMBER));
    const several = inMotus.filter((list) => dockets(list.filter((row) => row.DOCKET_NUMBER)).size > 1);
    expect(several.length).toBeGreaterThanOrEqual(3);
    const legacy = (await legacyCarriers(dir)).filter(
      (row) => row[1] !== "00000000" && (row[4] === "A" || row[5] === "A") && row[13] === "Y",
    );
    const ofLegacy = [...Map.groupBy(legacy, (row) => row[1]).values()];
    expect(ofLegacy.filter((list) => list.length > 1).length).toBeGreaterThanOrEqual(3);
  });

  test("include property and household goods granted together on one docket and one day", () => {
    const grants = (history ?? []).filter((row) => row.REASON === "Granted" && row.DOCKET_NUMBER);
    const together = Map.groupBy(grants, (row) => `${row.DOCKET_NUMBER} ${row.STATUS_CHANGE_DATE}`);
    const both = [...together.values()].filter(
      (list) => new Set(list.map((row) => row.OP_AUTH_TYPE)).size > 1,
    );
    expect(both.length).toBeGreaterThanOrEqual(2);
    for (const list of both)
      expect(list.some(isProperty) && list.some((row) => /Household/.test(row.OP_AUTH_TYPE ?? ""))).toBe(
        true,
      );
  });

  test("include companies that are broker and freight forwarder, on a docket each", () => {
    const both = byCompany(active().filter((row) => row.USDOT_NUMBER && row.DOCKET_NUMBER)).filter((list) => {
      const brokers = list.filter((row) => /^Broker/.test(row.OP_AUTH_TYPE ?? ""));
      const forwarders = list.filter((row) => /^Freight/.test(row.OP_AUTH_TYPE ?? ""));
      return brokers.length > 0 && dockets([...brokers, ...forwarders]).size > dockets(brokers).size;
    });
    expect(both.length).toBeGreaterThanOrEqual(1);
  });

  test("include several orders at once on an active authority, served on one day or on two", () => {
    const held = new Set(active().map(keyOf));
    const pending = (notices ?? []).filter(
      (row) => isNotice(row) && (row.ORDER1_EFFECTIVE_DATE ?? "") > TODAY && held.has(keyOf(row)),
    );
    const several = [...Map.groupBy(pending, keyOf).values()].filter(
      (list) => new Set(list.map((row) => row.ORDER1_EFFECTIVE_DATE)).size > 1,
    );
    const served = several.map((list) => new Set(list.map((row) => row.ORDER1_SERVE_DATE)).size);
    expect(served).toContain(1);
    expect(served).toContain(2);
  });

  test("include a suspension and a reinstatement on one day; the Carrier file has the later status", () => {
    const days = Map.groupBy(history ?? [], (row) => `${keyOf(row)} ${row.STATUS_CHANGE_DATE}`);
    const statuses: string[] = [];
    for (const list of days.values()) {
      const isBoth = [/^Involuntary Suspension/, /^Reinstated/].every((pattern) =>
        list.some((row) => pattern.test(row.REASON ?? "")),
      );
      const [first] = list;
      if (!isBoth || first === undefined) continue;
      const since = (history ?? []).some(
        (row) =>
          keyOf(row) === keyOf(first) && (row.STATUS_CHANGE_DATE ?? "") > (first.STATUS_CHANGE_DATE ?? ""),
      );
      const now = (carriers ?? []).find((row) => keyOf(row) === keyOf(first))?.OP_AUTH_STATUS;
      if (!since) statuses.push(now ?? "");
    }
    expect(statuses.filter((status) => status === "Active").length).toBeGreaterThanOrEqual(2);
  });

  test("include suspended brokers without security", () => {
    const lacking = (history ?? []).filter((row) =>
      /^Involuntary Suspension - .*BOND.*TRUST/i.test(row.REASON ?? ""),
    );
    expect(lacking.length).toBeGreaterThanOrEqual(1);
    for (const row of lacking) expect(row.OP_AUTH_TYPE).toMatch(/^(Broker|Freight Forwarder)/);
    expect(lacking.length).toBeLessThan((history ?? []).length * 0.02);
  });

  test("include a few pending orders with a service day that is missing, corrupt or in the future", () => {
    const held = new Set(active().map(keyOf));
    const isOdd = ({ ORDER1_SERVE_DATE: served = "", ORDER1_EFFECTIVE_DATE: effective = "" }: Row) =>
      served > effective || !/^20[0-9]{6}$/.test(served);
    const odd = (notices ?? []).filter((row) => isNotice(row) && isOdd(row));
    const kinds = odd.map(({ ORDER1_SERVE_DATE: served = "" }) => served.slice(0, 4));
    for (const kind of ["", "0000", "0189", "2027"]) expect(kinds).toContain(kind);
    const pending = odd.filter((row) => (row.ORDER1_EFFECTIVE_DATE ?? "") > TODAY && held.has(keyOf(row)));
    expect(pending.length).toBeGreaterThanOrEqual(1);
    expect(odd.length).toBeLessThan((notices ?? []).length * 0.12);
  });

  test("include new companies without a docket, in each file and on each day", async () => {
    const docketless = (list: readonly Row[]) =>
      new Set(
        list
          .filter((row) => row.DOCKET_NUMBER === "" && Number(row.USDOT_NUMBER) > 7_000_000)
          .map((row) => row.USDOT_NUMBER),
      );
    const found = docketless(carriers ?? []);
    expect(found.size).toBeGreaterThanOrEqual(3);
    expect(found.size).toBeLessThanOrEqual(10);
    expect(docketless(history ?? [])).toEqual(found);
    const policies = docketless(await rows(dir, LAST, "motus_insur.csv"));
    expect(policies.size).toBeGreaterThanOrEqual(1);
    expect(policies.isSubsetOf(found)).toBe(true);
    for (const file of ["carrier", "authhist", "revokesuspend", "insur", "inshist"])
      for (const row of await rows(dir, LAST, `motus_${file}.csv`))
        if (found.has(row.USDOT_NUMBER)) expect(row.DOCKET_NUMBER).toBe("");
    for (const row of await rows(dir, LAST, "census.csv"))
      if (found.has(row.DOT_NUMBER)) expect(row.DOCKET1).toBe("");
    const before = docketless(await rows(dir, 0, "motus_carrier.csv"));
    expect(before.isSubsetOf(found)).toBe(true);
  });
});
