// Operators' decisions on removal requests: accept, reject, undo.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { servedFeeds } from "../../../src/feeds/versions/feeds-list.ts";
import { keepTables } from "../../../src/retention/upkeep.ts";
import { resolveRemovals } from "../../../src/suppression/matching.ts";
import {
  acceptRemovals,
  listRemovals,
  listWaiting,
  rejectRemovals,
  undoRemovals,
} from "../../../src/suppression/requests/requests.ts";
import { putRegistryRow } from "../../support/registry/registry-rows.ts";
import { newAddress, type OptOutIn, optOut, removalList } from "../../support/removals/opt-outs.ts";
import { changeRows } from "../../support/rows.ts";
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
  service.clock.advance(1_000);
});

/** So many businesses with this test's phone. */
const companies = (count: number, from = 0) =>
  service.context.db.transaction(async (client) => {
    for (let index = from; index < from + count; index++) {
      await putRegistryRow(client, "census", { usdot: usdot + index, phone });
    }
  });
const ask = (body: OptOutIn) => optOut(service.url, body);
const hidden = async (): Promise<number[]> =>
  (await removalList(service.context)).businesses
    .map((number) => number - usdot)
    .filter((n) => n >= 0 && n < 1_000);
const isBlanked = async (): Promise<boolean> => (await removalList(service.context)).contacts.includes(phone);
const requestOf = async (id: number) =>
  (await listRemovals(service.context)).find(({ request_id }) => request_id === id);
const importAgain = () =>
  service.context.db.transaction((client) => resolveRemovals(client, servedFeeds, service.clock.now()));

describe("a request that waits", () => {
  it("shows the businesses that it would hide, and the sender's remarks", async () => {
    await companies(30);
    const id = await ask({ phone, requester_email: "owner@example.com", details: "Mine,\nall of them" });
    expect((await listWaiting(service.context)).at(-1)).toMatchObject({
      request_id: id,
      state: "waiting",
      would_hide: { phone: 30 },
      businesses: 0,
      requester_email: "owner@example.com",
      details: "Mine,\nall of them",
    });
  });

  it("removes every business that it matches once accepted, and those of later imports", async () => {
    await companies(30);
    const id = await ask({ phone });
    expect(await acceptRemovals(service.context, servedFeeds, [id], "it is his fleet")).toEqual({
      requests: 1,
      businesses: 30,
    });
    expect(await hidden()).toHaveLength(30);
    await companies(2, 30);
    expect(await importAgain()).toEqual({ businesses: 2, waiting: 0 });
    expect(await requestOf(id)).toMatchObject({
      state: "suppressed",
      decision: "accepted",
      reason: "it is his fleet",
    });
  });

  it("removes none once rejected, even later; the contact stays blanked", async () => {
    await companies(6);
    const id = await ask({ phone });
    await rejectRemovals(service.context, [id], "a dispatch service");
    await companies(1, 6);
    await importAgain();
    expect([await hidden(), await isBlanked()]).toEqual([[], true]);
    expect(await requestOf(id)).toMatchObject({ state: "rejected", reason: "a dispatch service" });
  });

  it("keeps no identifier once rejected, but for a contact that stays blanked", async () => {
    const docket = `MC${usdot}`;
    await service.context.db.transaction(async (client) => {
      for (let index = 0; index < 26; index++)
        await putRegistryRow(client, "motus_authhist", { docket, usdot: usdot + index });
    });
    await companies(6);
    const id = await ask({ mc: docket, phone });
    const byDocket = await ask({ mc: docket });
    await rejectRemovals(service.context, [id, byDocket], "not theirs");
    expect(await requestOf(byDocket)).toMatchObject({ state: "rejected", identifiers: [] });
    expect(await requestOf(id)).toMatchObject({
      state: "rejected",
      identifiers: [{ kind: "phone", value: phone, state: "rejected", is_blanked: true }],
    });
    await undoRemovals(service.context, [id, byDocket], "theirs");
    expect([(await requestOf(byDocket))?.state, await isBlanked()]).toEqual(["undone", false]);
  });

  it("keeps no docket once rejected that became shared by an import", async () => {
    const docket = `MC${usdot}`;
    const id = await ask({ mc: docket });
    await service.context.db.transaction(async (client) => {
      for (let index = 0; index < 26; index++)
        await putRegistryRow(client, "motus_authhist", { usdot: usdot + index, docket });
    });
    expect(await importAgain()).toMatchObject({ waiting: 1 });
    await rejectRemovals(service.context, [id], "not his");
    expect(await requestOf(id)).toMatchObject({ identifiers: [] });
  });

  it("is decided once", async () => {
    await companies(6);
    const id = await ask({ phone });
    await rejectRemovals(service.context, [id], "no");
    await expect(acceptRemovals(service.context, servedFeeds, [id], "yes")).rejects.toThrow(/does not wait/);
    await expect(acceptRemovals(service.context, servedFeeds, [7], "yes")).rejects.toThrow(
      /There is no removal request 7/,
    );
    for (const reason of ["", " ", "x".repeat(501), "two\nlines"]) {
      await expect(undoRemovals(service.context, [id], reason)).rejects.toThrow(/--reason/);
    }
  });
});

describe("undoing", () => {
  it("shows the business again, deletes the request's identifiers, and keeps its log", async () => {
    await companies(1);
    const id = await ask({ phone });
    const { number = 0 } = await removalList(service.context);
    expect(await undoRemovals(service.context, [id], "a mistake")).toEqual({ requests: 1, businesses: 1 });
    expect([await hidden(), (await removalList(service.context)).number]).toEqual([[], number + 1]);
    expect(await requestOf(id)).toMatchObject({ state: "undone", identifiers: [], reason: "a mistake" });
    await importAgain();
    expect(await hidden()).toEqual([]);
    const { pool } = service.context.db;
    const { rows } = await pool.query("SELECT FROM removal_identifier WHERE value = $1", [phone]);
    expect(rows).toEqual([]);
    await expect(undoRemovals(service.context, [id], "again")).rejects.toThrow(/is already undone/);
  });

  it("keeps businesses hidden that another request removed too, even by a phone that is no longer filed", async () => {
    await companies(2);
    const [byPhone, byNumber] = [await ask({ phone }), await ask({ usdot: String(usdot) })];
    await changeRows(service.context.db.pool, "census", { phone: null }, { usdot });
    expect((await undoRemovals(service.context, [byNumber], "no")).businesses).toBe(0);
    expect(await hidden()).toEqual([0, 1]);
    const again = await ask({ usdot: String(usdot) });
    expect((await undoRemovals(service.context, [byPhone], "no")).businesses).toBe(1);
    expect(await hidden()).toEqual([0]);
    expect((await undoRemovals(service.context, [again, again], "no")).businesses).toBe(1);
    expect(await hidden()).toEqual([]);
  });

  it("shows a contact again if no other request blanked it", async () => {
    await companies(6);
    const [first, second] = [await ask({ phone }), await ask({ phone })];
    await undoRemovals(service.context, [first], "no");
    expect(await isBlanked()).toBe(true);
    await undoRemovals(service.context, [second], "no");
    expect(await isBlanked()).toBe(false);
  });

  it("shows a contact again that another request names without blanking it", async () => {
    await companies(6);
    const blanks = await ask({ phone });
    expect(await isBlanked()).toBe(true);
    // By now few enough share it, so the next request removes them.
    await changeRows(service.context.db.pool, "census", { phone: null }, { usdot: [usdot, usdot + 1] });
    await ask({ phone });
    expect(await hidden()).toEqual([2, 3, 4, 5]);
    await undoRemovals(service.context, [blanks], "no");
    expect(await isBlanked()).toBe(false);
    expect(await hidden()).toEqual([2, 3, 4, 5]);
  });

  it("does all of several requests or none", async () => {
    const id = await ask({ usdot: String(usdot) });
    await expect(undoRemovals(service.context, [id, 7], "no")).rejects.toThrow(/no removal request 7/);
    expect(await hidden()).toEqual([0]);
  });
});

it("deletes the sender after 90 days, and the request stays in effect", async () => {
  const address = newAddress();
  const id = await optOut(
    service.url,
    { usdot: String(usdot), requester_email: "owner@example.com", details: "Please" },
    address,
  );
  const rowsOf = async (table: string) =>
    (await service.context.db.pool.query(`SELECT FROM ${table}`)).rowCount;
  service.clock.advance(89 * 86_400_000);
  await keepTables(service.context);
  const { pool } = service.context.db;
  const kept = await pool.query("SELECT email, details FROM removal_requester WHERE request_id = $1", [id]);
  expect(kept.rows).toEqual([{ email: "owner@example.com", details: "Please" }]);
  expect([await rowsOf("removal_confirmation"), await rowsOf("removal_client")]).toEqual([0, 0]);
  service.clock.advance(2 * 86_400_000);
  await keepTables(service.context);
  expect(await rowsOf("removal_requester")).toBe(0);
  await importAgain();
  expect(await hidden()).toEqual([0]);
});
