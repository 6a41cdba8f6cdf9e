import { describe, expect, it } from "vitest";
import type { components } from "../../../../../src/generated/types.ts";
import { addAgentContact } from "../../../../../src/registry/contacts/agent-contacts.ts";
import { KEPT_TABLES } from "../../../../../src/retention/kept-tables.ts";
import { keepTables } from "../../../../../src/retention/upkeep.ts";
import { undoRemovals as undoRequests } from "../../../../../src/suppression/requests/requests.ts";
import { setDetection } from "../../../../support/events/events.ts";
import { optOut } from "../../../../support/removals/opt-outs.ts";
import {
  blankContacts,
  removeBusinesses,
  unblankContacts,
  undoRemovals,
} from "../../../../support/removals/removals.ts";
import { changeRows } from "../../../../support/rows.ts";
import {
  ask,
  CARGO,
  type Changes,
  change,
  INSURER,
  key,
  lines,
  linesOf,
  list,
  ORDER,
  other,
  PHONE,
  PLAN,
  read,
  service,
  skipChanges,
  TRUCKS,
  useRecordedChanges,
  watch,
} from "./recorded-changes.ts";

useRecordedChanges();

describe("changes of watched carriers", () => {
  it("have both values, the registry's day and what they are about", async () => {
    const { data, next_cursor, as_of, meta } = await read("category=insurance");
    expect(data).toEqual([
      {
        id: 4,
        usdot: "101",
        category: "insurance",
        field: "insurer",
        docket_number: "MC101",
        authority_type: null,
        insurance_type: "bipd",
        policy_no: "AB1",
        before: "OLD MUTUAL",
        after: "NEW MUTUAL",
        on: "2026-11-18",
        seen_at: "2026-11-20T11:20:05.000Z",
        source_dataset: "motus_insur",
      },
    ]);
    expect(next_cursor).toBeNull();
    expect(as_of).toBe("2026-11-20T11:20:06.000Z");
    expect(meta).toEqual({
      resume_cursor: expect.any(String),
      recorded_since: { contact: "2026-09-01T00:00:00.000Z" },
    });
  });

  it("are of all lists, of one, of some carriers or of some categories", async () => {
    expect(await lines()).toEqual([PHONE, TRUCKS, INSURER, CARGO]);
    expect(await lines(`watchlist=${list}`)).toEqual([PHONE, TRUCKS, INSURER]);
    expect(await lines(`watchlist=${other}`)).toEqual([CARGO]);
    expect(await lines("usdot=0103,102")).toEqual([TRUCKS, CARGO]);
    expect(await lines("category=contact,fleet")).toEqual([PHONE, TRUCKS]);
    expect(await lines("category=never_heard_of")).toEqual([]);
    expect(await lines("since=2026-11-09T00:00:00Z")).toContain(ORDER);
    expect(await lines("since=2026-11-20T11:20:06Z")).toEqual([]);
  });

  it("go on where a cursor was, and each is told once", async () => {
    const told: string[] = [];
    let resume = "";
    for (let query: string | null = "limit=1"; query !== null; ) {
      const page: Changes = await read(query);
      told.push(...linesOf(page));
      resume = page.meta.resume_cursor;
      query = page.next_cursor && `limit=1&cursor=${page.next_cursor}`;
    }
    expect(told).toEqual([PHONE, TRUCKS, INSURER, CARGO]);
    expect(await lines(`cursor=${resume}`)).toEqual([]);
    await change({ usdot: 102, category: "fleet", field: "drivers", before: 1, after: 4 });
    expect(await lines(`cursor=${resume}`)).toEqual(["102 drivers 1 > 4"]);
  });

  it("are known from before a carrier was watched, and are gone when it no longer is", async () => {
    const late = await watch(["104"]);
    expect(await lines(`watchlist=${late}`)).toEqual(["104 drivers 1 > 2"]);
    await service.send("DELETE", `/v1/watchlists/${late}`, { key });
    expect(await lines()).not.toContain("104 drivers 1 > 2");
    expect(await ask("usdot=104", 422)).toMatchObject({ detail: [{ type: "not_watched" }] });
    // The place of each in the list that was sent, whatever stands in it twice.
    expect(await ask("usdot=102,0102,104,102,199,104", 422)).toMatchObject({
      detail: [2, 4, 5].map((at) => ({ loc: ["query", "usdot", at] })),
    });
  });

  it("have no removed business, no blanked contact, and nothing outside of the plan's states", async () => {
    await removeBusinesses(service.context.db, [101]);
    expect(await lines("usdot=102")).toContain(TRUCKS);
    expect((await lines()).filter((line) => line.startsWith("101"))).toEqual([]);
    await undoRemovals(service.context.db);
    await blankContacts(service.context.db, ["5125550142"], service.clock.now());
    expect(await lines("category=contact")).toEqual(["101 phone null > 5125550177"]);
    await blankContacts(service.context.db, ["5125550177"], service.clock.now());
    expect(await lines("category=contact")).toEqual([]);
    await unblankContacts(service.context.db);
    const { key: texan, planCode } = await service.createAccount(PLAN);
    await watch(["101", "102"], texan);
    await changeRows(
      service.context.db.pool,
      "plan_feed",
      { all_regions: false, regions: ["TX"] },
      { plan_code: planCode },
    );
    expect(await lines("", texan)).toEqual([PHONE, INSURER]);
  });

  it("are free, and a page looks at a bounded part of the registry's changes", async () => {
    const { key: poor } = await service.createAccount({ ...PLAN, rowsPerMonth: 1 });
    await watch(["103"], poor);
    expect(await lines("", poor)).toEqual([CARGO]);
    skipChanges(100_000);
    await change({ usdot: 103, category: "fleet", field: "drivers", before: 7, after: 8 });
    const page = await read("", poor);
    expect(linesOf(page)).toEqual([CARGO]);
    expect(await lines(`cursor=${page.next_cursor}`, poor)).toEqual(["103 drivers 7 > 8"]);
  });

  it("are refused with what was wrong", async () => {
    const { key: stranger } = await service.createAccount(PLAN);
    await ask(`watchlist=${list}`, 404, stranger);
    const { meta } = await read();
    for (const query of [
      `cursor=${meta.resume_cursor}x`,
      "limit=0",
      "limit=1001",
      "since=yesterday",
      "category=A",
      "usdot=x",
      "watchlist=0",
      "usdot=101,199",
    ]) {
      await ask(query, 422);
    }
    await ask(`cursor=${meta.resume_cursor}`, 422, stranger);
  });

  it("wait until the month of the watched carriers is paid for, and until the registry is fresh", async () => {
    const { key: broke, planCode } = await service.createAccount({ ...PLAN, rowsPerMonth: 2 });
    await watch(["101", "102"], broke);
    service.clock.set("2026-11-26T00:00:00Z");
    expect(await ask("", 503, broke)).toMatchObject({ code: "stale_source" });
    service.clock.set("2026-12-01T12:00:00Z");
    await setDetection(service.context.db, { finishedAt: "2026-12-01T11:20:06Z", asOf: "2026-12-01" });
    const limit = (rows: number) =>
      changeRows(service.context.db.pool, "plan", { rows_per_month: rows }, { code: planCode });
    await limit(1);
    expect(await ask("since=2026-11-01T00:00:00Z", 429, broke)).toMatchObject({ code: "quota_exceeded" });
    await limit(2);
    expect(await lines("since=2026-11-01T00:00:00Z", broke)).toContain(PHONE);
    const usage = (await (await service.get("/v1/usage", broke)).json()) as components["schemas"]["UsageOut"];
    expect(usage.usage.quota_rows).toBe(2);
    service.clock.set("2026-11-21T12:00:00Z");
    await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
  });
});

// A company that files a named contact no longer is not removed, so its past would go on showing the contact.
it("changes show no contact that a request in force names, until it is undone", async () => {
  const requestId = await optOut(service.url, { phone: "512-555-0142" });
  expect(await lines("category=contact")).toEqual(["101 phone null > 5125550177"]);
  await undoRequests(service.context, [requestId], "asked by mistake");
  expect(await lines("category=contact")).toEqual([PHONE]);
});

it("changes show no agent's own address at a public mail service", async () => {
  const { key: reader } = await service.createAccount(PLAN);
  await watch(["104"], reader);
  const own = { usdot: 104, category: "contact", field: "email" } as const;
  const seenAt = "2026-11-21T11:20:05Z";
  await change({ ...own, before: "agent@gmail.com", after: "own@acme.example", seenAt });
  const emails = () => lines(`category=contact&since=${seenAt}`, reader);
  expect(await emails()).toEqual(["104 email agent@gmail.com > own@acme.example"]);
  await addAgentContact(service.context, "agent@gmail.com", null);
  expect(await emails()).toEqual(["104 email null > own@acme.example"]);
});

// A page without changes would say that nothing changed in the ten years before.
it("are told since the oldest month that is kept, once older ones are gone", async () => {
  service.clock.set("2037-01-10T12:00:00Z");
  await setDetection(service.context.db, { finishedAt: "2037-01-10T11:20:06Z", asOf: "2037-01-09" });
  await keepTables(service.context, {
    tables: KEPT_TABLES.filter(({ table }) => table === "carrier_change"),
  });
  const { data, meta } = await read("since=2026-09-01T00:00:00Z");
  expect([data, meta.recorded_since]).toEqual([[], { contact: "2027-01-01T00:00:00.000Z" }]);
});
