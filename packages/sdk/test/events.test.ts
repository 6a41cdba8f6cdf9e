import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { revokeKey } from "../../../src/accounts/keys/keys.ts";
import { type GivenEvent, putEvents, setDetection } from "../../../test/support/events/events.ts";
import { removeRows } from "../../../test/support/rows.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { createClient, type Retry } from "../src/index.ts";
import { AMPLE, allOf, customerOf, notingFetch } from "./brokers.ts";

let service: TestService;
let ids: number[];
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const FRESH = { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" };
const put = (...events: GivenEvent[]) => putEvents(service.context.db, events);
beforeEach(async () => {
  await removeRows(service.context.db.pool, "event");
  await setDetection(service.context.db, FRESH);
  ids = await put({}, { type: "reinstated" }, {}, { state: "CA" }, { type: "reinstated" });
});

const idsOf = (events: readonly { id: number }[]) => events.map(({ id }) => id);

describe("events", () => {
  it("come from all pages, and later from the cursor on", async () => {
    const { asked, fetch } = notingFetch();
    const tdf = await customerOf(service, {}, { fetch });
    const events = tdf.events({ pageSize: 2 });
    expect(events.cursor).toBeNull();
    expect(idsOf(await allOf(events))).toEqual(ids);
    expect(asked).toHaveLength(3);
    const later = await put({}, {});
    const cursor = events.cursor ?? "";
    expect(idsOf(await allOf(tdf.events({ cursor })))).toEqual(later);
    expect(idsOf(await allOf(events))).toEqual(later);
  });

  it("of a page that was interrupted come again, and none is lost", async () => {
    const tdf = await customerOf(service);
    const events = tdf.events({ pageSize: 2 });
    for await (const { id } of events) if (id === ids[2]) break;
    expect(idsOf(await allOf(tdf.events({ cursor: events.cursor ?? "" })))).toEqual(ids.slice(2));
  });

  it("are those of the types, states and time asked for", async () => {
    const tdf = await customerOf(service);
    const reinstated = await allOf(tdf.events({ type: ["reinstated"] }));
    expect(idsOf(reinstated)).toEqual([ids[1], ids[4]]);
    expect(idsOf(await allOf(tdf.events({ state: ["CA"] })))).toEqual([ids[3]]);
    const [newest] = await put({ detectedAt: "2026-11-20T23:00:00Z" });
    const since = new Date("2026-11-20T22:00:00Z");
    expect(idsOf(await allOf(tdf.events({ since })))).toEqual([newest]);
    expect(idsOf(await allOf(tdf.events({ since: since.toISOString() })))).toEqual([newest]);
  });

  it("come by pages with the position after each", async () => {
    const tdf = await customerOf(service);
    const pages = await allOf(tdf.events({ pageSize: 3 }).pages());
    expect(pages.map(({ data }) => data.length)).toEqual([3, 2]);
    const cursor = pages[0]?.meta.resume_cursor ?? "";
    expect(idsOf(await allOf(tdf.events({ cursor })))).toEqual(ids.slice(3));
  });

  it("end with the reason of an aborted signal", async () => {
    const tdf = await customerOf(service);
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(allOf(tdf.events({ signal }))).rejects.toThrow("stopped");
  });
});

describe("following events", () => {
  /** A follower whose waits pass at once; the n-th one lets the n-th thing happen, the last one ends it. */
  async function follow(...happenings: (() => unknown)[]) {
    const stop = new AbortController();
    const retries: Retry[] = [];
    const waits: number[] = [];
    const { key, keyId } = await service.createAccount(AMPLE);
    const tdf = createClient({
      apiKey: key,
      baseUrl: service.url,
      maxRetries: 0,
      onRetry: (retry) => retries.push(retry),
      sleep: async (ms) => {
        const happening = happenings[waits.push(ms) - 1];
        if (happening) await happening();
        else stop.abort();
      },
    });
    return {
      keyId,
      waits,
      retries,
      events: tdf.events({ follow: true, pollSeconds: 30, signal: stop.signal }),
    };
  }

  it("goes on with new ones until the signal aborts", async () => {
    const later: number[] = [];
    const add = async () => later.push(...(await put({}, {})));
    const { events, waits } = await follow(
      add,
      () => {},
      add,
      () => {},
    );
    expect(idsOf(await allOf(events))).toEqual([...ids, ...later]);
    expect(later).toHaveLength(4);
    expect(waits).toEqual([30_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it("waits out what is temporary, as long as the service asks for", async () => {
    const { db } = service.context;
    const { events, retries, waits } = await follow(
      () => setDetection(db, { finishedAt: "2026-11-01T11:20:06Z", asOf: "2026-11-01" }),
      () => {},
      async () => {
        await setDetection(db, FRESH);
        ids.push(...(await put({})));
      },
    );
    expect(idsOf(await allOf(events))).toEqual(ids);
    expect(retries).toMatchObject([
      { waitMs: 600_000, error: { code: "stale_source", retryAfterSeconds: 600 } },
      { waitMs: 600_000, error: { code: "stale_source" } },
    ]);
    expect(waits).toEqual([30_000, 600_000, 600_000, 30_000]);
  });

  it("ends with an error that stays", async () => {
    const following = await follow(() => revokeKey(service.context, following.keyId));
    await expect(allOf(following.events)).rejects.toMatchObject({ code: "revoked_api_key", status: 401 });
    expect(following.events.cursor).not.toBeNull();
  });
});
