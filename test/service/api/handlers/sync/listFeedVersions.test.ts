import { afterAll, beforeAll, expect, it } from "vitest";
import { AMPLE } from "../../../../support/feeds/every-feed.ts";
import { publishFeed } from "../../../../support/feeds/published-feed.ts";
import { removeBusinesses } from "../../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import {
  BROKERS,
  broker,
  checkpointOf,
  publish,
  read,
  refusalOf,
  rowsUsed,
  usdotOf,
  type Versions,
} from "../../feeds/synced-feed.ts";

const FIRST = [broker("a"), broker("b"), broker("c", { state: "CA" })];
const SECOND = [broker("a", { city: "DALLAS" }), broker("c", { state: "CA" }), broker("d", { state: null })];

/** Of a version that was replaced: what it was when a copy was read, only its reader knows. */
const published = (...of: Parameters<typeof checkpointOf>) => ({ ...checkpointOf(...of), removals: null });

let service: TestService;
let key: string;
let [first, second] = [0, 0];
beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.createAccount(AMPLE));
  first = await publish(service, FIRST, { asOf: "2026-05-13" });
  service.clock.advance(3_600_000);
  second = await publish(service, SECOND);
});
afterAll(() => service.stop());

const list = (query = "", sender = key): Promise<Versions> =>
  read(service, `${BROKERS}/versions?${query}`, sender);

it("lists versions newest first, each with what changed since the one before", async () => {
  const now = service.clock.now().getTime();
  expect(await list()).toEqual({
    data: [
      {
        version: second,
        as_of: "2026-11-20",
        verified_on: { motus: "2026-11-20", legacy: "2026-05-14" },
        published_at: new Date(now).toISOString(),
        rows: 3,
        checkpoint: checkpointOf(second, SECOND),
        previous: first,
        added: 1,
        changed: 1,
        removed: 1,
        cause: "registry",
        rolled_back_at: null,
      },
      {
        version: first,
        // Before the legacy registry stopped.
        as_of: "2026-05-13",
        verified_on: { motus: "2026-05-13", legacy: "2026-05-13" },
        published_at: new Date(now - 3_600_000).toISOString(),
        rows: 3,
        checkpoint: published(first, FIRST),
        previous: null,
        added: null,
        changed: null,
        removed: null,
        cause: "registry",
        rolled_back_at: null,
      },
    ],
    next_cursor: null,
    meta: { feed: BROKERS, current_version: second, scope: { regions: null } },
  });
});

it("counts the states of the plan only, and is free", async () => {
  const { key: texan } = await service.createAccount({
    ...AMPLE,
    feeds: { [BROKERS]: ["TX"] },
    rowsPerMonth: 1,
  });
  const { data, meta } = await list("", texan);
  expect(meta.scope).toEqual({ regions: ["TX"] });
  expect(data).toMatchObject([
    { rows: 1, checkpoint: checkpointOf(second, SECOND.slice(0, 1)), added: 0, changed: 1, removed: 1 },
    { rows: 2, checkpoint: published(first, FIRST.slice(0, 2)), added: null },
  ]);
  expect(await rowsUsed(service, texan)).toBe(0);
});

it("lists older ones by cursor, which is for the same account and feed", async () => {
  const newest = await list("limit=1");
  expect(newest.data.map(({ version }) => version)).toEqual([second]);
  const query = `limit=1&cursor=${newest.next_cursor}`;
  const older = await list(query);
  expect([older.data.map(({ version }) => version), older.next_cursor]).toEqual([[first], null]);
  const { key: other } = await service.createAccount(AMPLE);
  expect(await refusalOf(service, `${BROKERS}/versions?${query}`, other)).toEqual([422, "query cursor"]);
  for (const wrong of ["cursor=x", `cursor=${newest.next_cursor}x`]) {
    expect(await refusalOf(service, `${BROKERS}/versions?${wrong}`, key)).toEqual([422, "query cursor"]);
  }
});

it.each([
  ["limit=0", 422, "query limit"],
  ["limit=1001", 422, "query limit"],
  ["state=TX", 422, "query state"],
])("refuses %s", async (query, status, place) => {
  expect(await refusalOf(service, `${BROKERS}/versions?${query}`, key)).toEqual([status, place]);
});

// It changes the removal list and moves the clock.
it("the current version has no removed business, and versions are listed for 90 days", async () => {
  await removeBusinesses(service.context.db, [usdotOf("a")], service.clock.now());
  const [current, earlier] = (await list()).data;
  expect(current?.checkpoint).toEqual(checkpointOf(second, SECOND.slice(1)));
  expect(earlier?.checkpoint).toEqual(published(first, FIRST));
  service.clock.advance(90 * 86_400_000 - 1_800_000);
  expect((await list()).data.map(({ version }) => version)).toEqual([second]);
});

// The guide reads the changes since the oldest version of the list: it was one from before the feed began anew.
it("lists no version from before the feed began anew, since which no changes can be told", async () => {
  const { context, clock } = service;
  const version = { records: SECOND, asOf: "2027-02-18", now: clock.now() };
  const begun = await publishFeed(context.db, BROKERS, { ...version, startsAnew: true });
  const next = await publish(service, FIRST, { asOf: "2027-02-18" });
  expect((await list()).data.map(({ version }) => version)).toEqual([next, begun]);
  const newest = await list("limit=1");
  const older = await list(`limit=1&cursor=${newest.next_cursor}`);
  expect([older.data.map(({ version }) => version), older.next_cursor]).toEqual([[begun], null]);
  const changes = await service.get(`/v1/feeds/${BROKERS}/changes?since_version=${begun}`, key);
  expect(changes.status).toBe(200);
});
