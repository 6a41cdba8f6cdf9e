// How connections are counted, narrowed, paged and charged, and what removals and imports change.
import { beforeAll, describe, expect, it } from "vitest";
import { updateSharedValues } from "../../../../../src/carriers/connections/shared-values.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import {
  blankContacts,
  removeBusinesses,
  unblankContacts,
  undoRemovals,
} from "../../../../support/removals/removals.ts";
import { changeRows } from "../../../../support/rows.ts";
import * as registry from "./connected-companies.ts";
import {
  ask,
  type Connections,
  connections,
  countsIn,
  importAgain,
  key,
  publish,
  rowsUsed,
  SMALL,
  service,
  useConnectionReader,
} from "./connection-reader.ts";

useConnectionReader();
beforeAll(() => updateSharedValues(service.context));

describe("connections", () => {
  it("say who declared whom, and when an earlier value was seen", async () => {
    const declared = await connections(580);
    expect(declared.data.map(({ usdot, links }) => [usdot, links[0]?.predecessor])).toEqual([
      ["581", "581"],
      ["582", "580"],
      ["583", "583"],
    ]);
    const { data } = await connections(600);
    expect(data[0]?.links).toMatchObject([
      { kind: "phone", first_seen: "2026-11-17", last_seen: "2026-11-18", sources: ["census"] },
      { kind: "address", first_seen: null, last_seen: "2026-11-19", sources: ["census"] },
    ]);
    expect(data[1]?.links[0]).toMatchObject({
      last_seen: "2026-05-14",
      sources: ["census", "legacy_carrier"],
    });
    const moved = await connections(570);
    expect(moved.data.map(({ company, links }) => [company, links[0]?.sources])).toEqual([
      // The census does not have it: its authority's own file does.
      ["FORMER HOLDER INC", ["motus_carrier"]],
      ["COMPANY 572 LLC", ["legacy_authhist", "motus_carrier"]],
      ["COMPANY 573 LLC", ["motus_carrier"]],
    ]);
  });

  it("are counted in lookup and timeline as in the summary that the same caller gets", async () => {
    const { key: texan } = await service.createAccount({ ...AMPLE, feeds: { [SMALL]: ["TX"] } });
    for (const sender of [key, texan]) {
      const asked = registry.ASKED.filter((usdot) => !registry.PERSONS.includes(usdot));
      const counted = asked.map(async (usdot) => {
        const { connected, ended } = (await connections(usdot, "?limit=0", sender)).summary;
        for (const path of [`/v1/carriers/${usdot}`, `/v1/carriers/${usdot}/timeline`])
          expect(await countsIn(path, sender)).toEqual({ connected, connected_ended: ended });
        return connected;
      });
      expect(new Set(await Promise.all(counted)).size).toBeGreaterThan(3);
    }
    expect(await countsIn("/v1/carriers/401")).toEqual({ connected: 2, connected_ended: 1 });
    for (const usdot of registry.PERSONS)
      expect(await countsIn(`/v1/carriers/${usdot}`)).toEqual({ connected: null, connected_ended: null });
  });

  it("are narrowed by kind and by state, and the summary stays", async () => {
    const { summary } = await connections(401);
    for (const [query, expected] of [
      ["?state=ended", ["402"]],
      ["?state=active", ["406"]],
      ["?link=phone", ["402", "406"]],
      ["?link=policy,docket_moved", []],
      ["?link=policy,address&state=ended", ["402"]],
    ] as const) {
      const found = await connections(401, query);
      expect(found.data.map(({ usdot }) => usdot)).toEqual(expected);
      expect(found.summary).toEqual(summary);
    }
  });

  it("are read page by page, and refuse a cursor of another answer", async () => {
    const whole = (await connections(420)).data;
    const read: Connections["data"] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Connections = await connections(420, `?limit=4${cursor && `&cursor=${cursor}`}`);
      read.push(...page.data);
      cursor = page.next_cursor;
    }
    expect(read).toEqual(whole);
    const { next_cursor: cursor } = await connections(420, "?limit=1");
    for (const query of [
      `?state=ended&cursor=${cursor}`,
      "?cursor=x",
      "?limit=51",
      "?link=officer",
      "?state=TX",
    ])
      await ask(420, query, key, 422);
    await ask(401, `?cursor=${cursor}`, key, 422);
  });

  it("are nothing that a removed business or a blanked contact leaves, at once", async () => {
    const { db } = service.context;
    await removeBusinesses(db, [402]);
    const { data, summary } = await connections(401);
    expect(data.map(({ usdot }) => usdot)).toEqual(["406"]);
    expect(summary).toMatchObject({ connected: 1, ended: 0, by_link: { phone: 2, address: 1 } });
    expect(await countsIn("/v1/carriers/401")).toEqual({ connected: 1, connected_ended: 0 });
    await removeBusinesses(db, [401]);
    await ask(401, "", key, 404);
    await undoRemovals(db);
    await blankContacts(db, [registry.PHONE], service.clock.now());
    expect((await connections(401)).summary).toMatchObject({ connected: 0, by_link: { address: 2 } });
    await unblankContacts(db);
  });

  it("are the lookup's 404 for who may not look it up, and for a natural person", async () => {
    const { key: elsewhere } = await service.createAccount({ ...AMPLE, feeds: { [SMALL]: ["OH"] } });
    const without = (text: string) => text.replaceAll(/"(request_id|instance)":"[^"]*"/g, "");
    const lookup = await (await service.get("/v1/carriers/401", elsewhere)).text();
    expect(without(await ask(401, "", elsewhere, 404))).toBe(without(lookup));
    expect((await service.get("/v1/carriers/520", key)).status).toBe(200);
    expect(without(await ask(520, "", key, 404))).toBe(without(lookup).replaceAll("401", "520"));
    // Nobody said what this one is: its name has no word of a legal form.
    await ask(521, "", key, 404);
  });

  it("cost a row for each business once a month; the summary is free", async () => {
    const { key: payer, accountId } = await service.createAccount({
      ...AMPLE,
      feeds: ALL_FEEDS,
      rowsPerMonth: 21,
    });
    expect((await connections(420, "?limit=0", payer)).data).toEqual([]);
    expect(await rowsUsed(payer)).toBe(0);
    await connections(420, "?limit=5", payer);
    await connections(420, "?limit=5", payer);
    expect(await rowsUsed(payer)).toBe(5);
    // The same businesses by way of each other.
    await Promise.all(Array.from({ length: 12 }, (_, index) => ask(420, `?limit=${8 + index}`, payer)));
    expect(await rowsUsed(payer)).toBe(19);
    await ask(401, "", payer);
    expect(await rowsUsed(payer)).toBe(21);
    await ask(590, "", payer, 429);
    expect(await rowsUsed(payer)).toBe(21);
    const paid = await service.context.db.pool.query("SELECT FROM connection_charge WHERE account_id = $1", [
      accountId,
    ]);
    expect(paid.rowCount).toBe(21);
  });

  it("fall out with the import that corrects them, and change nothing while the registry is the same", async () => {
    const { pool } = service.context.db;
    const stored = async () =>
      (await pool.query("SELECT xmin, * FROM shared_value ORDER BY kind, value, usdot")).rows;
    const before = await stored();
    await importAgain();
    expect(await stored()).toEqual(before);
    await changeRows(pool, "census", { phone: "5125559999" }, { usdot: 402 });
    expect((await connections(401)).data[0]?.usdot).toBe("402");
    await importAgain();
    expect((await connections(401)).data.map(({ usdot }) => usdot)).toEqual(["406"]);
  });

  it("are found by one process of several", async () => {
    await publish();
    await Promise.all(Array.from({ length: 4 }, () => updateSharedValues(service.context)));
    expect((await connections(401)).data.map(({ usdot }) => usdot)).toEqual(["406"]);
  });
});
