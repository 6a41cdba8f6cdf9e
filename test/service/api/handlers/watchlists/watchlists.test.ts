// The operations on watchlists and on their carriers.
import { describe, expect, it } from "vitest";
import { AMPLE } from "../../../../support/feeds/every-feed.ts";
import { removeBusinesses, undoRemovals } from "../../../../support/removals/removals.ts";
import {
  add,
  ask,
  carriersOf,
  create,
  listsOf,
  NOTHING,
  PLAN,
  remove,
  replace,
  type Schemas,
  service,
  usdotsOf,
  useWatching,
} from "./watching.ts";

useWatching();

describe("a watchlist", () => {
  it("is created, read, renamed and deleted by its account alone", async () => {
    const { key: other } = await service.createAccount(PLAN);
    const made = await ask<Schemas["WatchlistOut"]>("createWatchlist", "POST /v1/watchlists", {
      body: { name: "  Clients ", description: " of ours " },
      status: 201,
    });
    expect(made).toEqual({
      id: expect.any(Number),
      name: "Clients",
      description: "of ours",
      carriers: 0,
      created_at: service.clock.now().toISOString(),
    });
    const path = `/v1/watchlists/${made.id}`;
    expect(await ask("readWatchlist", `GET ${path}`)).toEqual(made);
    await ask("readWatchlist", `GET ${path}`, { sender: other, status: 404 });
    await ask("updateWatchlist", `PATCH ${path}`, { sender: other, status: 404, body: { name: "mine" } });
    await ask("deleteWatchlist", `DELETE ${path}`, { sender: other, status: 404 });
    for (const send of [add, replace, remove])
      await send(made.id, { usdots: ["101"] }, { sender: other, status: 404 });
    await ask("listWatchedCarriers", `GET ${path}/carriers`, { sender: other, status: 404 });
    expect((await listsOf(other)).data).toEqual([]);
    const renamed = await ask("updateWatchlist", `PATCH ${path}`, { body: { name: "Prospects" } });
    expect(renamed).toEqual({ ...made, name: "Prospects" });
    expect(await ask("updateWatchlist", `PATCH ${path}`, { body: { description: null } })).toEqual({
      ...made,
      name: "Prospects",
      description: null,
    });
    await ask("deleteWatchlist", `DELETE ${path}`, { status: 204 });
    await ask("readWatchlist", `GET ${path}`, { status: 404 });
    await ask("readWatchlist", `GET /v1/watchlists/${Number.MAX_SAFE_INTEGER}`, { status: 404 });
  });

  it("needs a name on one line", async () => {
    for (const name of [" ", "two\nlines", "x".repeat(101), ""]) {
      await ask("createWatchlist", "POST /v1/watchlists", { body: { name }, status: 422 });
    }
    await ask("createWatchlist", "POST /v1/watchlists", { body: {}, status: 422 });
  });

  it("is one of at most 100 of an account, also when many are created at once", async () => {
    const { key: busy } = await service.createAccount({ ...PLAN, requestsPerMinute: 1_000 });
    const answers = await Promise.all(
      Array.from({ length: 104 }, (_, at) =>
        service.send("POST", "/v1/watchlists", { key: busy, body: { name: `List ${at}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
    const refused = answers.find(({ status }) => status === 400);
    expect(await refused?.json()).toMatchObject({ code: "watchlist_limit_reached" });
    const { data } = await listsOf(busy);
    expect(data).toHaveLength(100);
    expect(data.map(({ id }) => id)).toEqual(data.map(({ id }) => id).toSorted((one, two) => one - two));
  });

  it("is created once by requests with the same idempotency key", async () => {
    const headers = { "Idempotency-Key": "list-1" };
    const asked = { body: { name: "Once" }, status: 201, headers };
    const first = await ask("createWatchlist", "POST /v1/watchlists", asked);
    expect(await ask("createWatchlist", "POST /v1/watchlists", asked)).toEqual(first);
    expect((await listsOf()).data.filter(({ name }) => name === "Once")).toHaveLength(1);
  });
});

describe("carriers", () => {
  it("are put on a list by USDOT and docket numbers, with what became of each", async () => {
    const { id } = await create("Mixed");
    const numbers = {
      usdots: ["00101", "104", "190", "abc", "99999999"],
      dockets: ["mc-1001", "MC1003", "FF0001002", "MC77", "1002", "MC 1002"],
    };
    const changed = await add(id, numbers);
    expect(changed).toEqual({
      added: 3,
      removed: 0,
      already: 0,
      // Without an authority; not in the registry; a docket of nobody, and with another prefix.
      unknown: ["190", "99999999", "FF0001002", "MC77"],
      ambiguous: [{ docket: "MC1003", usdots: ["102", "103"] }],
      invalid: ["abc", "1002"],
      carriers: 3,
      rows_charged: 3,
    });
    const inWords = {
      usdots: ["USDOT 101", "U.S. DOT Number: 0000104"],
      dockets: ["MC No. 1001", "USDOT 101"],
    };
    expect(await add(id, inWords)).toEqual({ ...NOTHING, already: 2, invalid: ["USDOT 101"], carriers: 3 });
    expect(await add(id, { usdots: ["101", "103"] })).toEqual({
      ...NOTHING,
      added: 1,
      already: 1,
      carriers: 4,
      rows_charged: 1,
    });
    expect(await carriersOf(id)).toEqual({
      data: [
        ["101", "FIRST FREIGHT LLC", "TX"],
        ["102", "SECOND FREIGHT OF CALIFORNIA", "CA"],
        ["103", "THIRD FREIGHT LLC", "TX"],
        ["104", null, null],
      ].map(([usdot, company, state]) => ({
        usdot,
        company,
        state,
        added_at: service.clock.now().toISOString(),
      })),
      next_cursor: null,
    });
  });

  it("are replaced, and a list of unknown numbers replaces nothing", async () => {
    const { id } = await create("Replaced");
    await add(id, { usdots: ["101", "102"] });
    expect(await replace(id, { dockets: ["MC1002", "MC2000", "MC77"] })).toMatchObject({
      added: 1,
      removed: 1,
      already: 1,
      unknown: ["MC77"],
      carriers: 2,
    });
    expect(await usdotsOf(id)).toEqual([102, 200]);
    await replace(id, { dockets: ["MC77", "nothing"] }, { status: 422 });
    await replace(id, {}, { status: 422 });
    expect(await usdotsOf(id)).toEqual([102, 200]);
    expect(await replace(id, { usdots: [] })).toEqual({ ...NOTHING, removed: 2, carriers: 0 });
  });

  it("are taken off, by a docket that only they have of the list", async () => {
    const { id } = await create("Removed");
    await add(id, { usdots: ["101", "103", "104"] });
    // 102, which had the docket too, is not on the list.
    expect(await remove(id, { dockets: ["MC1003"], usdots: ["104", "102", "x"] })).toEqual({
      ...NOTHING,
      removed: 2,
      unknown: ["102"],
      invalid: ["x"],
      carriers: 1,
    });
    await remove(id, {}, { status: 422 });
  });

  it("are read page by page", async () => {
    const { id } = await create("Paged");
    await add(id, { usdots: Array.from({ length: 30 }, (_, at) => String(200 + at)) });
    const read: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Schemas["WatchedCarriersOut"] = await carriersOf(
        id,
        `?limit=7${cursor && `&cursor=${cursor}`}`,
      );
      read.push(...page.data.map(({ usdot }) => usdot));
      cursor = page.next_cursor;
    }
    expect(read.map(Number)).toEqual(Array.from({ length: 30 }, (_, at) => 200 + at));
    const { id: other } = await create("Other");
    const { next_cursor } = await carriersOf(id, "?limit=1");
    await ask("listWatchedCarriers", `GET /v1/watchlists/${other}/carriers?cursor=${next_cursor}`, {
      status: 422,
    });
  });

  it("may be 10,000 a call", async () => {
    const { id } = await create("Long");
    const usdots = Array.from({ length: 10_000 }, (_, at) => `000000000000000${10_000_000 + at}`);
    const { unknown } = await add(id, { usdots });
    expect(unknown).toHaveLength(10_000);
    await add(id, { usdots, dockets: ["MC1001"] }, { status: 422 });
  });

  it("are of the plan's states, and a removed business is on no list", async () => {
    const { key: texan } = await service.createAccount({
      ...AMPLE,
      feeds: { us_brokers: ["TX"], us_small_carriers_active: ["OH"] },
    });
    const { id } = await create("Texas", texan);
    // 102 is in California by the census, although its authority's file says Ohio; of 104 no state is known.
    expect(await add(id, { usdots: ["101", "102", "103", "104"] }, { sender: texan })).toMatchObject({
      added: 2,
      unknown: ["102", "104"],
    });
    await removeBusinesses(service.context.db, [101]);
    expect(await usdotsOf(id, texan)).toEqual([103]);
    expect((await listsOf(texan)).data).toMatchObject([{ carriers: 1 }]);
    expect((await listsOf(texan)).meta.watched_carriers).toBe(1);
    expect(await add(id, { usdots: ["101"] }, { sender: texan })).toMatchObject({
      added: 0,
      unknown: ["101"],
    });
    expect(await remove(id, { usdots: ["101"] }, { sender: texan })).toMatchObject({
      removed: 0,
      unknown: ["101"],
    });
    await undoRemovals(service.context.db);
    expect(await usdotsOf(id, texan)).toEqual([101, 103]);
  });

  // It was counted as removed although the list did not show it, and was gone when the removal was undone.
  it.each([
    ["replaced", { usdots: ["102"] }, 1, [101, 102]],
    ["emptied", { usdots: [] }, 2, []],
  ])("of a removed business are hidden while a list is %s", async (what, numbers, removed, after) => {
    const { id } = await create(`Hidden ${what}`);
    await add(id, { usdots: ["101", "102", "103"] });
    await removeBusinesses(service.context.db, [101]);
    expect(await replace(id, numbers)).toMatchObject({ removed, carriers: numbers.usdots.length });
    await undoRemovals(service.context.db);
    expect(await usdotsOf(id)).toEqual(after);
  });
});
