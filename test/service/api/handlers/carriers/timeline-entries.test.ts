// What a timeline has beside the registry's histories, its pages and what it costs.
import { beforeAll, describe, expect, it } from "vitest";
import { AMPLE } from "../../../../support/feeds/every-feed.ts";
import { blankContacts, removeBusinesses, undoRemovals } from "../../../../support/removals/removals.ts";
import { putRows } from "../../../../support/rows.ts";
import { MOVES, ORDERS, POLICIES } from "./timeline-histories.ts";
import {
  ask,
  change,
  DOCKET,
  key,
  lines,
  put,
  SEEN_AT,
  SMALL,
  service,
  type Timeline,
  timeline,
  UNNUMBERED,
  USDOT,
  useTimeline,
} from "./timeline-reader.ts";

useTimeline();
beforeAll(() => put(...MOVES, ...ORDERS, ...POLICIES));

describe("a timeline", () => {
  it("has out-of-service orders, and recorded changes with both days and both values", async () => {
    await put([
      "oos_order",
      { usdot: USDOT, ordered_on: "2026-08-01", reason: "NEW ENTRANT", rescinded_on: "2026-08-09" },
    ]);
    await putRows(
      service.context.db.pool,
      "carrier_change",
      change(1, "contact", "phone", "5125550142", "5125550177", "2026-11-18"),
      change(2, "census", "cargo", ["produce"], ["produce", "other"], null),
      // An order that no file has any more is told as it was recorded; a policy that the histories have is not.
      {
        ...change(5, "order", "order", { order_type: "Notice" }, null, "2026-07-01"),
        docket: DOCKET,
      },
      {
        ...change(6, "insurance", "policy", null, { insurer: "SECOND MUTUAL CO" }, "2026-03-01"),
        docket: DOCKET,
        item: JSON.stringify({ policy_no: "C" }),
      },
      // What the histories tell already; the second day of it is in their entry.
      {
        ...change(3, "authority", "status_change", null, { status: "active" }, "2026-05-20"),
        docket: DOCKET,
      },
      { ...change(4, "authority", "status", "inactive", "active", "2026-05-20"), docket: DOCKET },
    );
    await putRows(service.context.db.pool, "recorded_field", {
      source: "census",
      field: "phone",
      since: "2026-11-15T11:20:05Z",
    });
    const { data, recorded_since } = await timeline();
    expect(recorded_since).toEqual({ contact: "2026-11-15T11:20:05.000Z" });
    const changed = data.filter(({ action }) => action === "changed");
    expect(
      changed.map(({ on, seen_at, field, before, after }) => [on, seen_at, field, before, after]),
    ).toEqual([
      [null, SEEN_AT, "cargo", "produce", "produce;other"],
      ["2026-11-18", SEEN_AT, "phone", "5125550142", "5125550177"],
      ["2026-07-01", SEEN_AT, "order", '{"order_type":"Notice"}', null],
    ]);
    expect(data.find(({ action }) => action === "reinstated")?.seen_at).toBe(SEEN_AT);
    expect(await lines("out_of_service")).toEqual([
      "2026-08-01 placed_out_of_service null NEW ENTRANT | 2026-08-09",
    ]);
    await blankContacts(service.context.db, ["5125550142", "5125550177"], service.clock.now());
    expect(JSON.stringify(await timeline())).not.toContain("5125550177");
    await undoRemovals(service.context.db);
  });

  it("of an authority without a docket tells each move and policy once, with the day it was seen", async () => {
    // The tables of the registry's rows have the key of such an authority, and changes have none.
    const history = { docket: `DOT${UNNUMBERED}`, usdot: UNNUMBERED };
    await put(
      ["motus_authhist", { ...history, status: "active", reason: "Granted", changed_on: "2026-11-10" }],
      [
        "motus_authhist",
        {
          ...history,
          status: "inactive",
          reason: "Administrative Status Adjustment",
          changed_on: "2026-11-12",
        },
      ],
      [
        "motus_insur",
        {
          ...history,
          policy_no: "U-1",
          policy_key: "U1",
          insurer: "FIRST MUTUAL CO",
          effective_on: "2026-11-09",
          filed_on: "2026-11-09",
        },
      ],
    );
    const granted = { status: "active", reason: "Granted", changed_on: "2026-11-10" };
    const carrier = { item: JSON.stringify({ authority_type: "carrier_property" }) };
    const broker = { item: JSON.stringify({ authority_type: "broker" }) };
    const policy = { item: JSON.stringify({ insurance_type: "1", policy_no: "U1" }) };
    await putRows(
      service.context.db.pool,
      "carrier_change",
      ...[
        { ...change(21, "authority", "status_change", null, granted, "2026-11-10"), ...carrier },
        { ...change(22, "authority", "status", "pending", "active", "2026-11-10"), ...carrier },
        {
          ...change(23, "insurance", "policy", null, { insurer: "FIRST MUTUAL CO" }, "2026-11-09"),
          ...policy,
        },
        // No file has this row of another authority any more.
        { ...change(24, "authority", "status_change", granted, null, "2026-11-10"), ...broker },
        // A correction of the registry's data is no move, but this one ended the authority.
        { ...change(25, "authority", "status", "active", "inactive", "2026-11-12"), ...carrier },
      ].map((row) => ({ ...row, usdot: UNNUMBERED })),
    );
    const { data } = JSON.parse(await ask("", key, 200, UNNUMBERED)) as Timeline;
    expect(
      data.map(({ on, action, field, authority_type, seen_at }) => [
        on,
        action,
        field,
        authority_type,
        seen_at,
      ]),
    ).toEqual([
      ["2026-11-12", "changed", "status", "carrier_property", SEEN_AT],
      ["2026-11-10", "granted", null, "carrier_property", SEEN_AT],
      ["2026-11-10", "changed", "status_change", "broker", SEEN_AT],
      ["2026-11-09", "policy_filed", null, null, SEEN_AT],
    ]);
    expect(data.every(({ docket_number }) => docket_number === null)).toBe(true);
  });

  it("is read page by page, each once, also when an entry comes meanwhile", async () => {
    const { data: whole } = await timeline("?limit=500");
    expect(whole.length).toBeGreaterThan(15);
    const days = whole.map(({ on, seen_at }) => on ?? seen_at?.slice(0, 10) ?? "");
    expect(days).toEqual(days.toSorted().reverse());
    const read: Timeline["data"] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Timeline = await timeline(`?limit=4${cursor && `&cursor=${cursor}`}`);
      read.push(...page.data);
      cursor = page.next_cursor;
      if (read.length === 4)
        await put(["oos_order", { usdot: USDOT, ordered_on: "2027-01-01", reason: "UNSATISFACTORY" }]);
    }
    expect(read).toEqual(whole);
    expect(
      (await timeline("?since=2026-09-01")).data.every(
        ({ on, seen_at }) => (on ?? seen_at ?? "") >= "2026-09-01",
      ),
    ).toBe(true);
    const first = await timeline("?limit=1");
    for (const query of [
      `?category=order&cursor=${first.next_cursor}`,
      "?cursor=x",
      "?limit=501",
      "?since=soon",
      "?category=A",
    ]) {
      await ask(query, key, 422);
    }
  });

  it("costs one row a page, and is the lookup's 404 where the plan does not see the carrier", async () => {
    const { key: one } = await service.createAccount({
      ...AMPLE,
      feeds: { [SMALL]: ["TX"] },
      rowsPerMonth: 1,
    });
    expect((await timeline("?limit=2", one)).data).toHaveLength(2);
    await ask("", one, 429);
    const { key: elsewhere } = await service.createAccount({ ...AMPLE, feeds: { [SMALL]: ["OH"] } });
    const missing = await ask("", elsewhere, 404);
    const lookup = await (await service.get(`/v1/carriers/${USDOT}`, elsewhere)).text();
    const without = (text: string) => text.replaceAll(/"(request_id|instance)":"[^"]*"/g, "");
    expect(without(missing)).toBe(without(lookup));
    await removeBusinesses(service.context.db, [USDOT]);
    await ask("", key, 404);
    await undoRemovals(service.context.db);
    expect((JSON.parse(await ask("", key, 200, 303)) as Timeline).data).toEqual([]);
  });

  it("without an entry costs nothing, as HEAD tells too", async () => {
    const path = `/v1/carriers/${USDOT}/timeline?since=2030-01-01`;
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await service.send(method, path, { key });
      expect([status, headers.get("x-quota-cost")]).toEqual([200, "0"]);
    }
  });
});
