// Imports match the identifiers of the removal list again, and removed businesses stay removed.

import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { servedFeeds } from "../../../src/feeds/versions/feeds-list.ts";
import { resolveRemovals } from "../../../src/suppression/matching.ts";
import { listRemovals, listWaiting } from "../../../src/suppression/requests/requests.ts";
import { untilLockWait } from "../../support/database.ts";
import { putRegistryRow } from "../../support/registry/registry-rows.ts";
import { type OptOutIn, optOut, removalList } from "../../support/removals/opt-outs.ts";
import { changeRows, emptyTables, removeRows } from "../../support/rows.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { TRUST_PROXY_HOPS: "1" } });
});
afterAll(() => service.stop());

let usdot = 2_000_000;
let phone: string;
beforeEach(() => {
  usdot += 1_000;
  phone = `512555${String(usdot / 1_000).padStart(4, "0")}`;
});

type Row = Parameters<typeof putRegistryRow>[2];

/** An import that makes this change to the registry, and ends like every import. */
const importing = (change: (client: pg.ClientBase) => Promise<unknown>) =>
  service.context.db.bulkTransaction(async (client) => {
    await change(client);
    return resolveRemovals(client, servedFeeds, service.clock.now());
  });
const adding = (table: string, ...rows: Row[]) =>
  importing(async (client) => {
    for (const row of rows) await putRegistryRow(client, table, row);
  });
const changing = (row: Row, change: Row) => importing((client) => changeRows(client, "census", change, row));

const ask = (body: OptOutIn) => optOut(service.url, body);
const hidden = async (): Promise<number[]> =>
  (await removalList(service.context)).businesses
    .map((number) => number - usdot)
    .filter((n) => n >= 0 && n < 1_000);

it("a business that files a removed phone, e-mail or docket later is removed by that import", async () => {
  await ask({ phone, email: `a${usdot}@example.com`, mc: `MC${usdot}` });
  expect(await hidden()).toEqual([]);
  expect(await adding("census", { usdot, phone })).toEqual({ businesses: 1, waiting: 0 });
  expect(await adding("census", { usdot: usdot + 1, email: `a${usdot}@example.com` })).toMatchObject({
    businesses: 1,
  });
  expect(await adding("motus_carrier", { usdot: usdot + 2, docket: `MC${usdot}` })).toMatchObject({
    businesses: 1,
  });
  expect(await hidden()).toEqual([0, 1, 2]);
  const { number } = await removalList(service.context);
  expect(await adding("census", { usdot: usdot + 3 })).toEqual({ businesses: 0, waiting: 0 });
  expect((await removalList(service.context)).number).toBe(number);
});

it("a removed business stays removed, whatever it files later", async () => {
  await adding("census", { usdot, phone });
  await ask({ phone });
  await changing({ usdot }, { phone: "2025550199" });
  expect(await hidden()).toEqual([0]);
  await importing((client) => removeRows(client, "census", { usdot }));
  await adding("census", { usdot, phone: "2025550198" });
  expect(await hidden()).toEqual([0]);
});

it("a contact that becomes shared removes no other business: it is blanked, and an operator decides", async () => {
  await adding("census", { usdot, phone });
  const id = await ask({ phone });
  const companies = Array.from({ length: 6 }, (_, index) => ({ usdot: usdot + 10 + index, phone }));
  expect(await adding("census", ...companies)).toEqual({ businesses: 0, waiting: 1 });
  expect(await hidden()).toEqual([0]);
  expect((await removalList(service.context)).contacts).toContain(phone);
  expect(await listWaiting(service.context)).toEqual([
    expect.objectContaining({
      request_id: id,
      would_hide: { phone: 7 },
      businesses: 1,
      reason: "the phone is shared by more businesses than one request removes",
    }),
  ]);
});

it("a request that comes while an import ends is matched with the new rows", async () => {
  let answered: Promise<number> | undefined;
  await importing(async (client) => {
    await putRegistryRow(client, "census", { usdot, phone });
    // Before the import is committed, so its rows are not visible yet.
    await resolveRemovals(client, servedFeeds, service.clock.now());
    answered = ask({ phone });
    await untilLockWait(service.context.db.pool);
  });
  await answered;
  expect(await hidden()).toEqual([0]);
});

it("an import that clears the registry and a concurrent request do not deadlock", async () => {
  await adding("census", { usdot, phone });
  let answered: Promise<number> | undefined;
  await service.context.db.bulkTransaction(async (client) => {
    await emptyTables(client, "census", "authority");
    answered = ask({ phone });
    await untilLockWait(service.context.db.pool);
    await putRegistryRow(client, "census", { usdot: usdot + 1, phone });
    await resolveRemovals(client, servedFeeds, service.clock.now());
  });
  await answered;
  expect(await hidden()).toEqual([1]);
});

it("every request is on the list of requests, newest first", async () => {
  service.clock.advance(1_000);
  const first = await ask({ usdot: String(usdot) });
  service.clock.advance(1_000);
  const second = await ask({ phone });
  const [newest, before] = await listRemovals(service.context);
  expect(newest).toMatchObject({ request_id: second, state: "suppressed", businesses: 0 });
  expect(before).toMatchObject({ request_id: first, businesses: 1, identifiers: [{ kind: "usdot" }] });
});
