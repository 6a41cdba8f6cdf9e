// GET /v1/events over HTTP: the way through the events, of all carriers and of some.
import { describe, expect, it } from "vitest";
import { setDetection } from "../../../../support/events/events.ts";
import { removeRows } from "../../../../support/rows.ts";
import { startTestService } from "../../../../support/service.ts";
import {
  ALL_FEEDS,
  type EventsOut,
  faultsOf,
  idsOf,
  keyFor,
  put,
  read,
  service,
  useEventReader,
} from "./event-reader.ts";

useEventReader();

describe("events of some carriers", () => {
  it("are read page by page, and polled, like all of them", async () => {
    const ids = await put(
      ...[7, 8, 9, 8, 7, 9, 8].map((usdot) => ({ usdot, state: usdot === 9 ? "CA" : "TX" })),
    );
    const of = (...usdots: number[]) =>
      ids.filter((_, index) => usdots.includes([7, 8, 9, 8, 7, 9, 8][index] ?? 0));
    expect(idsOf(await read("?usdot=7,%200008"))).toEqual(of(7, 8));
    expect(idsOf(await read("?usdot=9&usdot=1&state=ca"))).toEqual(of(9));
    expect(idsOf(await read("?usdot=9&state=TX"))).toEqual([]);
    const first = await read("?usdot=8,7&limit=2");
    expect(idsOf(first)).toEqual(of(7, 8).slice(0, 2));
    const second = await read(`?usdot=8,7&cursor=${first.next_cursor}`);
    expect(idsOf(second)).toEqual(of(7, 8).slice(2));
    expect(second.next_cursor).toBeNull();
    const [later] = await put({ usdot: 8, state: "TX" }, { usdot: 5, state: "TX" });
    expect(idsOf(await read(`?usdot=8,7&cursor=${second.meta.resume_cursor}`))).toEqual([later]);
    // The same cursor reads on with other filters.
    expect(idsOf(await read(`?cursor=${second.meta.resume_cursor}`))).toHaveLength(2);
  });

  it("are of the plan's states alone, and of at most 50 carriers", async () => {
    await put({ usdot: 7, state: "TX" }, { usdot: 7, state: "CA" });
    const texan = await keyFor({ us_brokers: ["TX"], us_new_authority_weekly: ["TX"] });
    expect((await read("?usdot=7", texan)).data.map(({ state }) => state)).toEqual(["TX"]);
    expect(await faultsOf("?usdot=x")).toEqual(["query usdot 0"]);
    expect(await faultsOf("?usdot=123456789")).toEqual(["query usdot 0"]);
    expect(await faultsOf(`?usdot=${Array.from({ length: 51 }, (_, index) => index).join()}`)).toEqual([
      "query usdot",
    ]);
  });
});

describe("a cursor", () => {
  it("walks every event once, with any page size, whatever is written meanwhile", async () => {
    const ids = await put(...Array.from({ length: 30 }, () => ({})));
    for (const limit of [1, 7, 30]) {
      const seen: number[] = [];
      let next: string | null = (await read("?limit=1")).next_cursor;
      while (next !== null) {
        const page = await read(`?limit=${limit}&cursor=${next}`);
        seen.push(...idsOf(page));
        next = page.next_cursor;
        if (ids.length < 40) ids.push(...(await put({}, { state: "CA" })));
      }
      expect(seen).toEqual(ids.slice(1));
    }
  });

  it("finds rare events far ahead, in order and in pages", async () => {
    const leap = () =>
      service.context.db.pool.query("SELECT setval('event_id_seq', nextval('event_id_seq') + 50000)");
    const ids: number[] = [];
    for (let round = 0; round < 3; round++) {
      ids.push(
        ...(await put({ type: "reinstated", state: "GU" }, { type: "revocation_pending", state: "PR" })),
      );
      await put({ type: "reinstated", state: "TX" }, { type: "revocation_pending", state: null });
      await leap();
    }
    const limited = await keyFor({ us_revocation_pending: ["GU", "PR"] });
    const everywhere = await keyFor({ us_revocation_pending: null });
    for (const [as, query] of [
      [limited, ""],
      [everywhere, "&state=GU,PR"],
    ] as const) {
      expect(idsOf(await read(`?limit=6${query}`, as))).toEqual(ids);
      const first = await read(`?limit=3${query}`, as);
      const second = await read(`?limit=3${query}&cursor=${first.next_cursor}`, as);
      expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
      expect(second.next_cursor).toBe(null);
    }
    const pending = await read("?type=revocation_pending", everywhere);
    expect(pending.data.map(({ state }) => state)).toEqual(["PR", null, "PR", null, "PR", null]);
    expect((await read("", everywhere)).data).toHaveLength(12);
  });

  it("gives each event once at the boundary between near and far events, 10,000 ids on", async () => {
    const [start = 0] = await put({});
    const { meta } = await read();
    await service.context.db.pool.query("SELECT setval('event_id_seq', $1)", [start + 9_998]);
    const ids = await put({}, {}, {}, {});
    expect(ids[1]).toBe(start + 10_000);
    expect(idsOf(await read(`?cursor=${meta.resume_cursor}`))).toEqual(ids);
  });

  it("gives the same page again, whatever was written since", async () => {
    await put({}, {}, {});
    const { next_cursor } = await read("?limit=1");
    const page = await read(`?limit=2&cursor=${next_cursor}`);
    await put({}, {});
    expect(idsOf(await read(`?limit=2&cursor=${next_cursor}`))).toEqual(idsOf(page));
  });

  it("to resume from skips nothing after months, beyond the seven days", async () => {
    await put({});
    const { meta } = await read();
    const ids = await put({ detectedAt: "2026-11-21T11:00:00Z" }, { detectedAt: "2026-12-24T11:00:00Z" });
    service.clock.set("2027-03-01T00:00:00Z");
    await setDetection(service.context.db, { finishedAt: "2027-02-28T11:00:00Z", asOf: "2027-02-28" });
    expect(idsOf(await read())).toEqual([]);
    expect(idsOf(await read(`?cursor=${meta.resume_cursor}`))).toEqual(ids);
  });

  it("to resume from passes only the events that the query left out", async () => {
    await put({ state: "TX" }, { state: "CA" }, { state: "CA" });
    const { meta, next_cursor } = await read("?state=TX");
    expect(next_cursor).toBe(null);
    expect(idsOf(await read(`?cursor=${meta.resume_cursor}`))).toEqual([]);
    const ids = await put({ state: "CA" }, { state: "TX" });
    expect(idsOf(await read(`?cursor=${meta.resume_cursor}&state=TX`))).toEqual([ids[1]]);
  });

  it("stays valid when events of a demo are cleared, and for another process and another key", async () => {
    const account = await service.createAccount({ feeds: ALL_FEEDS });
    await put({}, {});
    const { meta } = await read("", account.key);
    await removeRows(service.context.db.pool, "event");
    const again = await read(`?cursor=${meta.resume_cursor}`, account.key);
    expect(again.meta.resume_cursor).toBe(meta.resume_cursor);
    const [id] = await put({});
    const other = await startTestService({ databaseUrl: service.context.config.databaseUrl ?? "" });
    const { key: anotherKey } = await service.createKey(account.accountId);
    const answer = await other.get(`/v1/events?cursor=${meta.resume_cursor}`, anotherKey);
    expect(idsOf((await answer.json()) as EventsOut)).toEqual([id]);
    await other.stop();
  });

  it("is refused when it is another text, another account's, or altered", async () => {
    await put({});
    const { meta } = await read();
    const foreign = (await read("", await keyFor(ALL_FEEDS))).meta.resume_cursor;
    expect(foreign).not.toBe(meta.resume_cursor);
    const cut = meta.resume_cursor.slice(0, -1);
    for (const cursor of [
      "1",
      "ZXYxLjQ4MTUx",
      "%F0%9F%9A%9A",
      "e30",
      foreign,
      cut,
      `${cut}%3D`,
      `${cut}==`,
    ]) {
      expect(await faultsOf(`?cursor=${cursor}`)).toEqual(["query cursor"]);
    }
    expect(await faultsOf("?cursor=")).toEqual(["query cursor"]);
    expect(await faultsOf(`?cursor=${"a".repeat(201)}`)).toEqual(["query cursor"]);
  });

  it("is refused when it is ahead of every event: the database was restored, and events would be skipped", async () => {
    await put({}, {}, {});
    const { meta } = await read();
    const { pool } = service.context.db;
    const { rows } = await pool.query<{ last: number }>("SELECT last_value AS last FROM event_id_seq");
    await pool.query("SELECT setval('event_id_seq', $1)", [(rows[0]?.last ?? 0) - 1]);
    expect(await faultsOf(`?cursor=${meta.resume_cursor}`)).toEqual(["query cursor"]);
    await pool.query("SELECT setval('event_id_seq', $1)", [rows[0]?.last]);
    expect((await read(`?cursor=${meta.resume_cursor}`)).data).toEqual([]);
  });
});
