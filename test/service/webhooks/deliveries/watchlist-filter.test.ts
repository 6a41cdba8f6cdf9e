// Endpoints that receive only what happens at the carriers of some watchlists.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../../../src/generated/types.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { countReplay, replay } from "../../../../src/webhooks/replay/replay.ts";
import { putCorrections, putEvents } from "../../../support/events/events.ts";
import { ALL_FEEDS, AMPLE } from "../../../support/feeds/every-feed.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { putRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { deliveriesOf, putRetry } from "../../../support/webhooks/deliveries.ts";
import { ASKED_ENDPOINT } from "../../../support/webhooks/endpoints.ts";

type Endpoint = components["schemas"]["WebhookOut"];

let service: TestService;
let key: string;
let stranger: string;
beforeAll(async () => {
  service = await startTestService();
  const carriers = [101, 102, 103].map((usdot) => ({ usdot, docket: `MC${usdot}`, registry_state: "TX" }));
  await putRows(service.context.db.pool, "authority", ...carriers);
  key = (await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS })).key;
  stranger = (await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS })).key;
});
afterAll(() => service.stop());

async function ask<Answer>(method: string, path: string, body: object | undefined, status: number) {
  const answer = await service.send(method, `/v1/${path}`, { key, body });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([status, text]);
  return (text === "" ? null : JSON.parse(text)) as Answer;
}

async function watch(usdots: readonly string[], sender = key): Promise<number> {
  const made = await service.send("POST", "/v1/watchlists", { key: sender, body: { name: "Clients" } });
  const { id } = (await made.json()) as { id: number };
  await service.send("POST", `/v1/watchlists/${id}/carriers`, { key: sender, body: { usdots } });
  return id;
}
const register = (filters: object, more: object = {}) =>
  ask<Endpoint>("POST", "webhooks", { ...ASKED_ENDPOINT, filters, ...more }, 201);

/** Fans out events of these carriers; gives the carriers of the deliveries that each endpoint got. */
async function receivedOf(endpoints: readonly Endpoint[], usdots: readonly number[]): Promise<number[][]> {
  const ids = await putEvents(
    service.context.db,
    usdots.map((usdot) => ({ usdot })),
  );
  await fanOut(service.context);
  return Promise.all(
    endpoints.map(async ({ id }) =>
      (await deliveriesOf(service.context, id)).flatMap(({ event_id }) => {
        const usdot = usdots[ids.indexOf(event_id)];
        return usdot === undefined ? [] : [usdot];
      }),
    ),
  );
}

const unknownAt = (index: number) => ({
  detail: [
    {
      loc: ["body", "filters", "watchlist_ids", index],
      msg: "must be the id of one of your watchlists",
      type: "unknown_watchlist",
    },
  ],
});

describe("the filter by watchlists", () => {
  it("lets through events of carriers that are on one of the lists now, and fit the other filters", async () => {
    const [first, second] = [await watch(["101"]), await watch(["102"])];
    const one = await register({ watchlist_ids: [first] });
    const both = await register({ watchlist_ids: [second, first, second] });
    const narrow = await register({ watchlist_ids: [first, second], usdots: ["102", "103"] });
    const all = await register({});
    expect(both.filters).toEqual({ watchlist_ids: [second, first] });
    const endpoints = [one, both, narrow, all];
    expect(await receivedOf(endpoints, [101, 102, 103])).toEqual([[101], [101, 102], [102], [101, 102, 103]]);
    await ask("PUT", `watchlists/${first}/carriers`, { usdots: ["103"] }, 200);
    expect(await receivedOf(endpoints, [101, 102, 103])).toEqual([
      [103],
      [102, 103],
      [102, 103],
      [101, 102, 103],
    ]);
  });

  it("decides about corrections and replays too", async () => {
    const list = await watch(["101"]);
    const { id } = await register({ watchlist_ids: [list] }, { corrections: true });
    const { db, clock } = service.context;
    const detectedAt = clock.now().toISOString();
    const ids = await putEvents(db, [
      { usdot: 101, detectedAt },
      { usdot: 102, detectedAt },
    ]);
    await putCorrections(db, ids, { at: detectedAt });
    await fanOut(service.context);
    expect((await deliveriesOf(service.context, id)).map(({ event_id }) => event_id)).toEqual([
      ids[0],
      ids[0],
    ]);
    // The correction waits for another attempt, and is wanted no more.
    const [, correction] = await deliveriesOf(service.context, id);
    await putRetry(service.context, correction?.id ?? 0);
    await ask("PATCH", `webhooks/${id}`, { corrections: false }, 200);
    expect((await deliveriesOf(service.context, id)).map(({ status }) => status)).toEqual([
      "queued",
      "cancelled",
    ]);
    const range = { from: clock.now(), to: new Date(clock.now().getTime() + 1) };
    const { counts } = (await countReplay(service.context, { ...range, endpointId: id })) as {
      counts: object;
    };
    expect(counts).toMatchObject({ missed: 0 });
    expect(await replay(service.context, { ...range, endpointId: id })).toEqual({ queued: 0 });
    await ask("POST", `watchlists/${list}/carriers`, { usdots: ["102"] }, 200);
    expect(await countReplay(service.context, { ...range, endpointId: id })).toMatchObject({
      counts: { missed: 1 },
    });
    expect(await replay(service.context, { ...range, endpointId: id })).toEqual({ queued: 1 });
  });

  it("corrects what was sent of a carrier that has left the list since", async () => {
    const list = await watch(["101"]);
    const { id } = await register({ watchlist_ids: [list] }, { corrections: true });
    const { db, clock } = service.context;
    const detectedAt = clock.now().toISOString();
    const [sent = 0] = await putEvents(db, [{ usdot: 101, detectedAt }]);
    await fanOut(service.context);
    await ask("PUT", `watchlists/${list}/carriers`, { usdots: ["102"] }, 200);
    const [unsent = 0] = await putEvents(db, [{ usdot: 101, detectedAt }]);
    await fanOut(service.context);
    await putCorrections(db, [sent, unsent], { at: detectedAt });
    await fanOut(service.context);
    expect((await deliveriesOf(service.context, id)).map(({ event_id }) => event_id)).toEqual([sent, sent]);
  });

  it("takes only lists of the account, each time they are set", async () => {
    const [own, foreign] = [await watch(["101"]), await watch(["101"], stranger)];
    const asked = (...watchlist_ids: number[]) => ({ ...ASKED_ENDPOINT, filters: { watchlist_ids } });
    expect(await ask("POST", "webhooks", asked(own, foreign), 422)).toEqual(unknownAt(1));
    expect(await ask("POST", "webhooks", asked(9_007_199_254_740_991), 422)).toEqual(unknownAt(0));
    const { id } = await register({});
    const change = (...watchlist_ids: number[]) => ({ filters: { watchlist_ids } });
    expect(await ask("PATCH", `webhooks/${id}`, change(foreign), 422)).toEqual(unknownAt(0));
    expect(await ask("PATCH", `webhooks/${id}`, change(own), 200)).toMatchObject(change(own));
    expect(await ask("PATCH", `webhooks/${id}`, { filters: null }, 200)).toMatchObject({ filters: null });
  });

  it("matches nothing by a list that was deleted, and stays until it is changed", async () => {
    const [gone, kept] = [await watch(["101"]), await watch(["102"])];
    const endpoint = await register({ watchlist_ids: [gone] });
    await ask("DELETE", `watchlists/${gone}`, undefined, 204);
    expect(await receivedOf([endpoint], [101, 102])).toEqual([[]]);
    const path = `webhooks/${endpoint.id}`;
    const change = { description: "Clients", filters: { watchlist_ids: [gone] } };
    expect(await ask("PATCH", path, change, 200)).toMatchObject(change);
    const more = { filters: { watchlist_ids: [gone, kept] } };
    expect(await ask("PATCH", path, more, 200)).toMatchObject(more);
    expect(await receivedOf([endpoint], [101, 102])).toEqual([[102]]);
    await ask("PATCH", path, { filters: { watchlist_ids: [kept] } }, 200);
    expect(await ask("PATCH", path, more, 422)).toEqual(unknownAt(0));
  });

  it("does not know a removed business", async () => {
    const endpoint = await register({ watchlist_ids: [await watch(["101", "102"])] });
    await removeBusinesses(service.context.db, [101]);
    expect(await receivedOf([endpoint], [101, 102])).toEqual([[102]]);
    await undoRemovals(service.context.db);
    expect(await receivedOf([endpoint], [101, 102])).toEqual([[101, 102]]);
  });
});
