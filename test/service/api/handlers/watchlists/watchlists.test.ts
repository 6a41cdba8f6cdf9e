// The operations on watchlists and on their carriers.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flushUsage } from "../../../../../src/accounts/usage/usage-counter.ts";
import type { OperationId } from "../../../../../src/generated/operations.ts";
import type { components } from "../../../../../src/generated/types.ts";
import { payEveryAccount } from "../../../../../src/watchlists/pay-for-month.ts";
import { closeAccount } from "../../../../../src/webhooks/endpoints/pause-or-delete.ts";
import type { ContractCase } from "../../../../contract/contract-cases.ts";
import { expectContract } from "../../../../contract/prism/expect-contract.ts";
import { setOwner } from "../../../../support/accounts.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { memoryLog } from "../../../../support/memory-log.ts";
import { allowWrites, refuseWrites } from "../../../../support/refused-writes.ts";
import { putRegistryRow } from "../../../../support/registry/registry-rows.ts";
import { removeBusinesses, undoRemovals } from "../../../../support/removals/removals.ts";
import { changeRows, putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

type Schemas = components["schemas"];
type Changed = Schemas["WatchedCarriersChanged"];

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  const { pool } = service.context.db;
  await putRows(
    pool,
    "authority",
    { usdot: 101, docket: "MC1001", registry_state: "TX", registry_name: "FIRST FREIGHT LLC" },
    { usdot: 102, docket: "MC1002", registry_state: "OH", registry_name: "SECOND FREIGHT LLC" },
    // A docket that two companies had, one of which never had another.
    { usdot: 103, docket: "MC1003", registry_state: "TX", registry_name: "THIRD FREIGHT LLC" },
    { usdot: 102, docket: "MC1003", registry_state: "OH", registry_name: "SECOND FREIGHT LLC" },
    { usdot: 104, docket: "MC1004", registry_state: null, registry_name: null, status: "inactive" },
    ...Array.from({ length: 30 }, (_, at) => ({
      usdot: 200 + at,
      docket: `MC${2_000 + at}`,
      registry_state: "TX",
    })),
  );
  // In the census too, which says where a company is; the second one has no authority.
  await service.context.db.transaction(async (client) => {
    await putRegistryRow(client, "census", {
      usdot: 102,
      state: "CA",
      legal_name: "SECOND FREIGHT OF CALIFORNIA",
    });
    await putRegistryRow(client, "census", { usdot: 190, state: "TX" });
  });
  ({ key } = await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS, rowsPerMonth: 10_000 }));
});
afterAll(() => service.stop());

const PLAN = { ...AMPLE, feeds: ALL_FEEDS };

interface Asked {
  body?: unknown;
  sender?: string;
  status?: number;
  headers?: Record<string, string>;
}

/** Sends the request and checks the answer against the contract. */
async function ask<Answer>(
  operation: OperationId,
  request: string,
  { body, sender = key, status = 200, headers }: Asked = {},
): Promise<Answer> {
  const [method = "", path = ""] = request.split(" ");
  const answer = await service.send(method, path, { key: sender, body, headers });
  const text = await answer.text();
  expectContract({ operation, status } as ContractCase, {
    status: answer.status,
    headers: answer.headers,
    text,
  });
  return (text === "" ? null : JSON.parse(text)) as Answer;
}

const create = (name: string, sender = key) =>
  ask<Schemas["WatchlistOut"]>("createWatchlist", "POST /v1/watchlists", {
    body: { name },
    sender,
    status: 201,
  });

const add = (id: number, body: Schemas["WatchedCarriersIn"], how: Asked = {}) =>
  ask<Changed>("addWatchedCarriers", `POST /v1/watchlists/${id}/carriers`, { body, ...how });
const replace = (id: number, body: Schemas["WatchedCarriersIn"], how: Asked = {}) =>
  ask<Changed>("replaceWatchedCarriers", `PUT /v1/watchlists/${id}/carriers`, { body, ...how });
const remove = (id: number, body: Schemas["WatchedCarriersIn"], how: Asked = {}) =>
  ask<Changed>("removeWatchedCarriers", `POST /v1/watchlists/${id}/carriers/remove`, { body, ...how });

const carriersOf = async (id: number, query = "", sender = key) =>
  ask<Schemas["WatchedCarriersOut"]>("listWatchedCarriers", `GET /v1/watchlists/${id}/carriers${query}`, {
    sender,
  });
const usdotsOf = async (id: number, sender = key) =>
  (await carriersOf(id, "", sender)).data.map(({ usdot }) => Number(usdot));

const listsOf = (sender = key) =>
  ask<Schemas["WatchlistsOut"]>("listWatchlists", "GET /v1/watchlists", { sender });

const usageOf = async (sender: string) =>
  (await (await service.get("/v1/usage", sender)).json()) as Schemas["UsageOut"];
const rowsUsed = async (sender: string): Promise<number> => (await usageOf(sender)).usage.quota_rows;
/** The rows of the month, and those of the account's one key. */
const rowsCounted = async (sender: string) => {
  const { usage, by_key } = await usageOf(sender);
  return [usage.quota_rows, by_key?.[0]?.api_rows];
};

const NOTHING = {
  added: 0,
  removed: 0,
  already: 0,
  unknown: [],
  ambiguous: [],
  invalid: [],
  rows_charged: 0,
};

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

describe("the limit of watched carriers", () => {
  it("counts each carrier once, holds among many requests, and changes nothing when it is reached", async () => {
    const { key: small } = await service.createAccount({
      ...PLAN,
      requestsPerMinute: 1_000,
      watchedCarriers: 5,
    });
    const [one, two] = [await create("One", small), await create("Two", small)];
    await add(one.id, { usdots: ["101", "102", "103"] }, { sender: small });
    await add(two.id, { usdots: ["101", "102", "103"] }, { sender: small });
    expect((await listsOf(small)).meta).toEqual({ watched_carriers: 3, watched_carriers_limit: 5 });
    const refused = await add(
      two.id,
      { usdots: ["101", "200", "201", "202"] },
      { sender: small, status: 400 },
    );
    expect(refused).toMatchObject({
      code: "watch_limit_reached",
      detail: "Your account would watch 6 carriers, and your plan allows 5. Nothing was changed.",
    });
    expect(await usdotsOf(two.id, small)).toEqual([101, 102, 103]);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        service.send("POST", `/v1/watchlists/${at % 2 ? one.id : two.id}/carriers`, {
          key: small,
          body: { usdots: [String(210 + at)] },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect((await listsOf(small)).meta.watched_carriers).toBe(5);
    const usage = (await (await service.get("/v1/usage", small)).json()) as Schemas["UsageOut"];
    expect(usage.limits.watched_carriers).toBe(5);
  });

  // A nightly PUT of fewer carriers was refused, so that an account never came back to its smaller plan by it.
  it("of a smaller plan lets an account that watches more watch fewer, and no more", async () => {
    const { key: small, planCode } = await service.createAccount({ ...PLAN, watchedCarriers: 8 });
    const [one, two] = [await create("One", small), await create("Two", small)];
    await add(one.id, { usdots: ["101", "102", "103", "200"] }, { sender: small });
    await add(two.id, { usdots: ["200", "201", "202", "203"] }, { sender: small });
    await changeRows(service.context.db.pool, "plan", { watched_carriers: 3 }, { code: planCode });
    const more = { usdots: ["101", "102", "103", "200", "210"] };
    expect(await replace(one.id, more, { sender: small, status: 400 })).toMatchObject({
      code: "watch_limit_reached",
    });
    expect(await replace(one.id, { usdots: ["101", "210"] }, { sender: small })).toMatchObject({
      added: 1,
      removed: 3,
      carriers: 2,
    });
    expect(await add(one.id, { usdots: ["101"] }, { sender: small })).toMatchObject({ already: 1 });
    await add(one.id, { usdots: ["102"] }, { sender: small, status: 400 });
    expect((await listsOf(small)).meta).toEqual({ watched_carriers: 6, watched_carriers_limit: 3 });
    await replace(two.id, { usdots: [] }, { sender: small });
    expect((await listsOf(small)).meta.watched_carriers).toBe(2);
    await add(two.id, { usdots: ["201"] }, { sender: small });
    await add(two.id, { usdots: ["202"] }, { sender: small, status: 400 });
  });
});

describe("what watched carriers cost", () => {
  it("is a row for each in a month, on however many lists, also when it comes back", async () => {
    const { key: payer } = await service.createAccount(PLAN);
    const [one, two] = [await create("One", payer), await create("Two", payer)];
    await add(one.id, { usdots: ["101", "102"] }, { sender: payer });
    await add(two.id, { usdots: ["102", "103"] }, { sender: payer });
    await remove(one.id, { usdots: ["101"] }, { sender: payer });
    expect(await add(two.id, { usdots: ["101"] }, { sender: payer })).toMatchObject({
      added: 1,
      rows_charged: 0,
    });
    expect(await rowsUsed(payer)).toBe(3);
    await ask("deleteWatchlist", `DELETE /v1/watchlists/${one.id}`, { sender: payer, status: 204 });
    expect(await rowsUsed(payer)).toBe(3);
  });

  it("counts by key and is warned of alike with and without an idempotency key, once", async () => {
    const { prisma } = service.context.db;
    const fifteen = { usdots: Array.from({ length: 15 }, (_, at) => String(200 + at)) };
    for (const headers of [{}, { "Idempotency-Key": "add-15" }] as Record<string, string>[]) {
      const { key: sender, accountId } = await service.createAccount({ ...PLAN, rowsPerMonth: 17 });
      const recipient = `owner${accountId}@freight.example`;
      await setOwner(service.context, accountId, recipient);
      const { id } = await create("Warned", sender);
      for (let times = 0; times < 2; times++) await add(id, fifteen, { sender, headers });
      expect(await rowsCounted(sender)).toEqual([15, 15]);
      await flushUsage(service.context);
      const mails = await prisma.mailOutbox.findMany({ where: { recipient } });
      expect(mails.map(({ subject }) => subject)).toEqual(["80% of this month's rows are used"]);
    }
  });

  it("counts nothing when the charge is rolled back", async () => {
    const { key: sender } = await service.createAccount(PLAN);
    const { id } = await create("Rolled back", sender);
    const { pool } = service.context.db;
    await refuseWrites(pool, "idempotent_answer", "53100");
    const headers = { "Idempotency-Key": "add-1" };
    const refused = await add(id, { usdots: ["101"] }, { sender, headers, status: 503 });
    await allowWrites(pool, "idempotent_answer");
    expect(refused).toMatchObject({ code: "unavailable" });
    expect(await rowsCounted(sender)).toEqual([0, 0]);
    expect(await add(id, { usdots: ["101"] }, { sender, headers })).toMatchObject({ rows_charged: 1 });
    expect(await rowsCounted(sender)).toEqual([1, 1]);
  });

  it("is refused whole when the quota has too few rows", async () => {
    const { key: poor } = await service.createAccount({ ...PLAN, rowsPerMonth: 2 });
    const { id } = await create("Poor", poor);
    const refused = await add(id, { usdots: ["101", "102", "103"] }, { sender: poor, status: 429 });
    expect(refused).toMatchObject({ code: "quota_exceeded" });
    expect(await usdotsOf(id, poor)).toEqual([]);
    expect(await add(id, { usdots: ["101", "102"] }, { sender: poor })).toMatchObject({ rows_charged: 2 });
  });

  it("is exact among 50 requests at the edge of the quota", async () => {
    const { key: edge } = await service.createAccount({
      ...PLAN,
      requestsPerMinute: 1_000,
      rowsPerMonth: 20,
    });
    const { id } = await create("Edge", edge);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        service.send("POST", `/v1/watchlists/${id}/carriers`, {
          key: edge,
          body: { usdots: [String(200 + (at % 25))] },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(await usdotsOf(id, edge)).toHaveLength(20);
    expect(await rowsUsed(edge)).toBe(20);
  });

  it("is charged anew in each month, once by however many processes, without those that left", async () => {
    const { key: monthly, accountId } = await service.createAccount(PLAN);
    const { key: broke } = await service.createAccount({ ...PLAN, rowsPerMonth: 3 });
    const { id } = await create("Monthly", monthly);
    const { id: brokeList } = await create("Broke", broke);
    await add(id, { usdots: ["101", "102", "103"] }, { sender: monthly });
    await add(brokeList, { usdots: ["101", "102", "103"] }, { sender: broke });
    await remove(id, { usdots: ["103"] }, { sender: monthly });
    service.clock.set("2026-12-01T00:00:01Z");
    await service.context.db.prisma.plan.updateMany({
      where: { rowsPerMonth: 3 },
      data: { rowsPerMonth: 2 },
    });
    await Promise.all(Array.from({ length: 4 }, () => payEveryAccount(service.context)));
    expect(await rowsUsed(monthly)).toBe(2);
    expect(await rowsUsed(broke)).toBe(0);
    const refused = await service.get("/v1/carrier-changes", broke);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      503,
      "stale_source",
    ]);
    // Back on the list in a new month, it costs a row again.
    expect(await add(id, { usdots: ["103"] }, { sender: monthly })).toMatchObject({ rows_charged: 1 });
    const { rows } = await service.context.db.pool.query(
      "SELECT usdot, month FROM watched_carrier WHERE account_id = $1 ORDER BY usdot",
      [accountId],
    );
    expect(rows).toEqual([101, 102, 103].map((usdot) => ({ usdot, month: "2026-12-01" })));
    service.clock.set("2026-11-21T12:00:00Z");
  });

  it("goes on with the other accounts when one can't be charged, and says so", async () => {
    const [{ key: stuck, accountId: stuckId }, { key: other }] = [
      await service.createAccount(PLAN),
      await service.createAccount(PLAN),
    ];
    for (const key of [stuck, other])
      await add((await create("Monthly", key)).id, { usdots: ["101"] }, { sender: key });
    const { pool } = service.context.db;
    await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stuck'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON watched_month FOR EACH ROW WHEN (NEW.account_id = ${stuckId})
      EXECUTE FUNCTION refuse()`);
    const { log, lines } = memoryLog();
    service.clock.set("2026-12-01T00:00:01Z");
    await payEveryAccount({ ...service.context, log });
    expect([await rowsUsed(stuck), await rowsUsed(other)]).toEqual([0, 1]);
    expect(lines()).toMatchObject([{ level: "error", accountIds: [stuckId] }]);
    await pool.query("DROP FUNCTION refuse CASCADE");
    service.clock.set("2026-11-21T12:00:00Z");
  });

  it("ends when the account is closed", async () => {
    const { key: closing, accountId } = await service.createAccount(PLAN);
    const { id } = await create("Closing", closing);
    await add(id, { usdots: ["101"] }, { sender: closing });
    await closeAccount(service.context, accountId, { erases: true });
    for (const table of ["watchlist", "watched_month", "watched_carrier"]) {
      const { rowCount } = await service.context.db.pool.query(`SELECT FROM ${table} WHERE account_id = $1`, [
        accountId,
      ]);
      expect(rowCount).toBe(0);
    }
  });
});
