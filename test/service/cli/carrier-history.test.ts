import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type CarrierChange,
  type CarrierHistory,
  readCarrierChanges,
} from "../../../src/carriers/carrier-changes.ts";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { importFolder } from "../../../src/importer/import.ts";
import type { Context } from "../../../src/platform/context.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type Printed, runTdf } from "../../support/processes/command.ts";
import {
  blankContacts,
  removeBusinesses,
  unblankContacts,
  undoRemovals,
} from "../../support/removals/removals.ts";
import { changeRows, putRows, removeRows } from "../../support/rows.ts";

let database: TestDatabase;
let context: Context;
let folder: string;
const clock = settableClock("2026-11-17T18:00:00Z");
/** The number of recorded changes by category, of each import. */
const reports: (object | undefined)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-history-"));
  database = await createTestDatabase();
  context = await openTestContext(database.url, clock);
  const days = await generateRegistry({
    outDir: folder,
    carriers: 400,
    seed: 5,
    firstDay: "2026-11-17",
    days: 4,
    dailyEdits: 0.1,
  });
  for (const [at, { date, dir }] of days.entries()) {
    clock.set(`${date}T18:00:00Z`);
    // As after an upgrade: it added a field, and computes the status of authorities in another way.
    if (at === 2) {
      await removeRows(context.db.pool, "recorded_field", { field: "phone" });
      await changeRows(context.db.pool, "authority_rules", { hash: "of an older program" });
    }
    const { recordedChanges } = await importFolder(context, { dir, asOf: null, accept: new Set() });
    reports.push(recordedChanges);
  }
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const history = (...words: string[]): Promise<Printed> =>
  runTdf({ DATABASE_URL: database.url }, "carrier", "history", ...words);

/** The changes that the command would show, read in this process. */
const changesOf = async (usdot: number): Promise<CarrierChange[]> =>
  (await readCarrierChanges(context, usdot, { category: null, since: null, limit: 100 })).changes;

/** A change of a company from one phone to another, neither of them blanked. */
async function changedPhone() {
  const { rows } = await context.db.pool.query<{ usdot: number; was: string; is: string }>(
    `SELECT usdot, old_value #>> '{}' AS was, new_value #>> '{}' AS is FROM visible_carrier_change
     WHERE field = 'phone' AND source = 'census' AND jsonb_typeof(old_value) = 'string'
       AND jsonb_typeof(new_value) = 'string' ORDER BY id LIMIT 1`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error("no company changed its phone");
  return found;
}

const countOf = async (field: string, seenOn: string): Promise<number> =>
  (
    await context.db.pool.query(
      "SELECT FROM visible_carrier_change WHERE field = $1 AND (seen_at AT TIME ZONE 'UTC')::date = $2",
      [field, seenOn],
    )
  ).rowCount ?? 0;

it("the first import records nothing, later ones report what they recorded", () => {
  expect(reports[0]).toEqual({});
  expect(reports[1]).toMatchObject({ fleet: expect.any(Number), contact: expect.any(Number) });
});

it("a field that was not recorded before is no change of the import that first has it", async () => {
  expect(await countOf("phone", "2026-11-19")).toBe(0);
  expect(await countOf("power_units", "2026-11-19")).toBeGreaterThan(0);
  expect(await countOf("phone", "2026-11-20")).toBeGreaterThan(0);
});

it("an import after a change of our own rules records what the registry changed", async () => {
  expect(await countOf("status", "2026-11-18")).toBeGreaterThan(0);
  expect(await countOf("status", "2026-11-19")).toBeGreaterThan(0);
  expect(await countOf("status_change", "2026-11-19")).toBeGreaterThan(0);
});

it("prints what changed, when it was seen, and in which file", async () => {
  const { usdot, was, is } = await changedPhone();
  const { out, err, status } = await history(`0${usdot}`);
  expect({ err, status }).toEqual({ err: "", status: 0 });
  const [heading = "", ...lines] = out.split("\n");
  expect(heading.split(/ {2,}/)).toEqual([
    "seen on",
    "registry's day",
    "category",
    "field",
    "of",
    "before",
    "after",
    "file",
  ]);
  const line = lines.find((each) => each.includes(was) && each.endsWith("census")) ?? "";
  const [, registryDay, ...rest] = line.split(/ {2,}/);
  expect(rest).toEqual(["contact", "phone", "the company", was, is, "census"]);
  // The day of the company's update, if it filed one with the change.
  expect(registryDay).toMatch(/^(–|2026-11-1[789])$/);
  expect(lines.slice(-2)).toEqual(["Changes are recorded since 2026-11-17.", ""]);
});

it("shows one category, days from one on, and so many changes", async () => {
  const { usdot } = await changedPhone();
  const all = await changesOf(usdot);
  const ids = all.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(1);
  expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  const idsOf = async (...words: string[]) =>
    (JSON.parse((await history(String(usdot), "--json", ...words)).out) as CarrierHistory).changes.map(
      ({ id }) => id,
    );
  const ofFleet = all.filter(({ category }) => category === "fleet").map(({ id }) => id);
  expect(await idsOf("--category", "fleet", "--since", "2026-11-17")).toEqual(ofFleet);
  expect(await idsOf("--limit", "1")).toEqual(ids.slice(0, 1));
  expect(await idsOf("--since", "2026-11-21")).toEqual([]);
});

it("shows nothing of a business on the removal list, until it is taken off", async () => {
  const { usdot } = await changedPhone();
  const all = await changesOf(usdot);
  await removeBusinesses(context.db, [usdot]);
  expect(await changesOf(usdot)).toEqual([]);
  expect((await history(String(usdot))).out).toBe(
    `No change of USDOT number ${usdot} is there to show. Changes are recorded since 2026-11-17.\n`,
  );
  await undoRemovals(context.db);
  expect(await changesOf(usdot)).toEqual(all);
});

it("shows no blanked contact: not a removed one, not an agent's, not a shared one", async () => {
  const { usdot, was, is } = await changedPhone();
  const ofPhone = async () =>
    (await changesOf(usdot)).filter(({ field, source }) => field === "phone" && source === "census").at(-1);
  const shown = { old_value: was, new_value: is };
  expect(await ofPhone()).toMatchObject(shown);
  await blankContacts(context.db, [was], new Date());
  expect(await ofPhone()).toMatchObject({ old_value: null, new_value: is });
  await blankContacts(context.db, [is], new Date());
  const before = (await changesOf(usdot)).flatMap(({ old_value, new_value }) => [old_value, new_value]);
  expect(before).not.toContain(was);
  expect(before).not.toContain(is);
  await unblankContacts(context.db);
  await context.db.prisma.agentContact.create({ data: { kind: "phone", value: is, shipped: false } });
  expect(await ofPhone()).toMatchObject({ old_value: was, new_value: null });
  await context.db.prisma.agentContact.deleteMany({ where: { value: is } });
  await putRows(context.db.pool, "shared_contact", { value: was, usdot_count: 9 });
  expect(await ofPhone()).toMatchObject({ old_value: null, new_value: is });
  await removeRows(context.db.pool, "shared_contact", { value: was });
  expect(await ofPhone()).toMatchObject(shown);
});

it("a docket that goes on under another USDOT number is one change with both numbers, at both companies", async () => {
  const dir = path.join(folder, "moved");
  await cp(path.join(folder, "day-03"), dir, { recursive: true });
  const rows = (await readFile(path.join(dir, "motus_carrier.csv"), "utf8")).split("\n").slice(1);
  const cells = rows.filter((row) => /^MC-?\d+,.*\),Active,/.test(row)).map((row) => row.split(","));
  const [docket = "", before = ""] = cells[0] ?? [];
  const now = cells.at(-1)?.[1] ?? "";
  const spelled = new RegExp(`^(MC-?0*${docket.replace(/\D/g, "")}),0*${before},`, "gm");
  for (const name of (await readdir(dir)).filter((each) => each.startsWith("motus_"))) {
    const file = path.join(dir, name);
    await writeFile(file, (await readFile(file, "utf8")).replace(spelled, `$1,${now},`));
  }
  clock.set("2026-11-21T18:00:00Z");
  await importFolder(context, { dir, asOf: null, accept: new Set() });
  const ofHolder = async (usdot: string) =>
    (await changesOf(Number(usdot)))
      .filter(({ field }) => field === "holder")
      .map(({ old_value, new_value }) => ({ old_value, new_value }));
  const moved = {
    old_value: { usdot: Number(before), status: "active" },
    new_value: { usdot: Number(now), status: "active" },
  };
  expect(await ofHolder(before)).toEqual([moved]);
  expect(await ofHolder(now)).toEqual([moved]);
});

it("an order whose USDOT number is blank on some days did not change", async () => {
  const dir = path.join(folder, "ordered");
  await cp(path.join(folder, "moved"), dir, { recursive: true });
  const carriers = (await readFile(path.join(dir, "motus_carrier.csv"), "utf8")).split("\n").slice(1);
  const [docket = "", usdot = ""] =
    carriers.find((row) => /^MC-?\d+,\d+,.*\),Active,/.test(row))?.split(",") ?? [];
  const file = path.join(dir, "motus_revokesuspend.csv");
  const orders = await readFile(file, "utf8");
  const named = (number: string) =>
    `${docket},${number},Motor Carrier of Passengers,11/20/2026,REVOCATION,01/15/2027\n`;
  const accept = new Set(["old-file:motus_revokesuspend", "half-old:motus_revokesuspend"]);
  const seen: [unknown, unknown][][] = [];
  const days = [[named("")], [named(usdot)], [named(""), named(usdot)], [named("")]];
  for (const [at, rows] of days.entries()) {
    clock.set(`2026-11-${22 + at}T18:00:00Z`);
    await writeFile(file, orders + rows.join(""));
    await importFolder(context, { dir, asOf: null, accept });
    const query = { category: "order" as const, since: clock.now(), limit: 100 };
    const { changes } = await readCarrierChanges(context, Number(usdot), query);
    seen.push(changes.map(({ old_value, new_value }) => [old_value, new_value]));
  }
  const order = { order_type: "REVOCATION", served_on: "2026-11-20", effective_on: "2027-01-15" };
  expect(seen).toEqual([[[null, order]], [], [], []]);
});

it("refuses what it cannot read, with a sentence", async () => {
  const refusals = await Promise.all([
    history("x"),
    history("1", "--category", "phones"),
    history("1", "--since", "yesterday"),
  ]);
  expect(refusals.map(({ status }) => status)).toEqual([2, 2, 2]);
  const [number, category, since] = refusals.map(({ err }) => err);
  expect(number).toBe('"x" is no USDOT number: give 1 to 8 digits.\n');
  expect(category).toMatch(/^--category is "phones": give one of authority, census, .+\.\n$/);
  expect(since).toBe('--since is "yesterday": give a day of the calendar like 2026-11-20.\n');
});
