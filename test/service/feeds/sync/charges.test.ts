import { afterAll, beforeAll, expect, it } from "vitest";
import { rollBackFeed } from "../../../../src/feeds/publish/rollback.ts";
import { AMPLE } from "../../../support/feeds/every-feed.ts";
import { requestRemoval, undoRequest } from "../../../support/removals/requests.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import {
  BROKERS,
  broker,
  type Changes,
  idOf,
  publish,
  read,
  refusalOf,
  rowsUsed,
  usdotOf,
} from "../../api/feeds/synced-feed.ts";

let service: TestService;
let [first, second] = [0, 0];
beforeAll(async () => {
  service = await startTestService();
  first = await publish(
    service,
    ["a", "b", "c", "d"].map((letter) => broker(letter)),
  );
  second = await publish(
    service,
    ["a", "b", "c"].map((letter) => broker(letter, { city: "WACO" })),
  );
});
afterAll(() => service.stop());

const path = (query: string): string => `${BROKERS}/changes?${query}`;
const changes = (query: string, key: string): Promise<Changes> => read(service, path(query), key);

it("a page of changes is charged once, however its pages are cut", async () => {
  const { key } = await service.createAccount(AMPLE);
  const page = await changes(`since_version=${first}&limit=1`, key);
  const used = () => rowsUsed(service, key);
  expect(await used()).toBe(1);
  await changes(`since_version=${first}&limit=1`, key);
  expect(await used()).toBe(1);
  const rest = `cursor=${page.next_cursor}&limit=10`;
  await service.send("HEAD", `/v1/feeds/${path(rest)}`, { key });
  expect(await used()).toBe(1);
  for (const query of [rest, rest, `since_version=${first}`, `since_version=${first}&limit=2`]) {
    await changes(query, key);
    expect(await used()).toBe(3);
  }
  const again = await service.get(`/v1/feeds/${path(`since_version=${first}`)}`, key);
  expect(again.headers.get("x-quota-cost")).toBe("0");
  // Other records than those are charged.
  await changes(`since_version=${first}&state=TX`, key);
  expect(await used()).toBe(6);
  const { key: other } = await service.createAccount(AMPLE);
  await changes(`since_version=${first}`, other);
  expect(await rowsUsed(service, other)).toBe(3);
});

it("removed records can be read with the quota used up, and the error says so", async () => {
  const { key } = await service.createAccount({ ...AMPLE, rowsPerMonth: 2 });
  const refused = await service.get(`/v1/feeds/${path(`since_version=${first}`)}`, key);
  expect(await refused.json()).toMatchObject({
    code: "quota_exceeded",
    detail: expect.stringMatching(/ left this month \(UTC\)\. .*op=removed/),
  });
  const { data } = await changes(`since_version=${first}&op=removed`, key);
  expect(data.map(({ op }) => op)).toEqual(["removed"]);
  // Without a row left, what was paid is sent again.
  await changes(`since_version=${first}&limit=2`, key);
  expect(await refusalOf(service, path(`since_version=${first}`), key)).toEqual([429, "quota_exceeded"]);
  expect((await changes(`since_version=${first}&limit=2`, key)).data).toHaveLength(2);
});

it("a version to reach that is before the start is 422", async () => {
  const { key } = await service.createAccount(AMPLE);
  const query = `since_version=${second}&to_version=${first}`;
  expect(await refusalOf(service, path(query), key)).toEqual([422, "query since_version"]);
});

// The next two come last: they move the clock, and the feed.
it("a cursor whose version has gone says to ask again without it, and that leads to the newest version", async () => {
  const { key } = await service.createAccount(AMPLE);
  const { next_cursor } = await changes(`since_version=${first}&limit=1`, key);
  await publish(service, [broker("a", { city: "WACO" })], { asOf: "2026-11-21" });
  service.clock.advance(25 * 3_600_000);
  const gone = await service.get(`/v1/feeds/${path(`cursor=${next_cursor}`)}`, key);
  expect(gone.status).toBe(410);
  expect(await gone.json()).toMatchObject({
    code: "cursor_expired",
    detail: expect.stringMatching(/Leave out cursor, and send since_version again/),
  });
  expect(await refusalOf(service, path(`since_version=${first}&to_version=${second}`), key)).toEqual([
    410,
    "version_expired",
  ]);
  const { data, next_cursor: next } = await changes(`since_version=${first}`, key);
  expect([data.map(({ op }) => op).sort(), next]).toEqual([
    ["changed", "removed", "removed", "removed"],
    null,
  ]);
});

it("a walk goes on as it began when a rollback leads to its version again", async () => {
  const { key } = await service.createAccount(AMPLE);
  const letters = ["e", "f", "g", "h"];
  const begin = await publish(
    service,
    letters.map((letter) => broker(letter)),
    { asOf: "2026-11-21" },
  );
  service.clock.advance(1_000);
  const end = await publish(service, [broker("e", { city: "WACO" }), broker("i")], { asOf: "2026-11-21" });
  const query = `since_version=${begin}&to_version=${end}`;
  const { data: whole } = await changes(query, key);
  const { next_cursor: cursor, data: first } = await changes(`${query}&limit=1`, key);
  service.clock.advance(1_000);
  await publish(service, [broker("e"), broker("f")], { asOf: "2026-11-21" });
  await rollBackFeed(service.context, "us_brokers");
  const { data: rest } = await changes(`cursor=${cursor}&limit=10`, key);
  expect([...first, ...rest]).toEqual(whole);
});

it("a rollback leads to a version before the start", async () => {
  const { key } = await service.createAccount(AMPLE);
  service.clock.advance(1_000);
  const before = await publish(service, [broker("a")], { asOf: "2026-11-22" });
  service.clock.advance(1_000);
  const withdrawn = await publish(service, [broker("a", { city: "WACO" })], { asOf: "2026-11-22" });
  await rollBackFeed(service.context, "us_brokers");
  const { data, meta } = await changes(`since_version=${withdrawn}&to_version=${before}`, key);
  expect([data.map(({ op }) => op), meta.to_version]).toEqual([["changed"], before]);
});

// An import after new rules replaces the served version and that of the new rules at one time.
it("a rollback leads to the newer of two versions that were replaced at one time", async () => {
  service.clock.advance(26 * 3_600_000);
  await publish(service, [broker("a", { city: "WACO" })], { asOf: "2026-11-23" });
  const ofNewRules = await publish(service, [broker("a")], { asOf: "2026-11-23" });
  await publish(service, [broker("b")], { asOf: "2026-11-23" });
  expect(await rollBackFeed(service.context, "us_brokers")).toMatchObject({ to: ofNewRules });
});

// A copy of the version may be older than the version that was rolled back.
it("without a number, a copy of a version that came back is told what was shown again since that was published", async () => {
  const { key } = await service.createAccount(AMPLE);
  const { context, clock } = service;
  const version = await publish(service, [broker("a"), broker("b")], { asOf: "2026-11-22" });
  const request = await requestRemoval(context, { usdots: [usdotOf("a")] }, clock.now());
  await undoRequest(context, request, clock.now());
  clock.advance(26 * 3_600_000);
  await publish(service, [broker("b")], { asOf: "2026-11-23" });
  clock.advance(1_000);
  await rollBackFeed(context, "us_brokers");
  const { data, meta } = await changes(`since_version=${version}`, key);
  expect([data.map(({ op, record_id }) => [op, record_id]), meta.to_version]).toEqual([
    [["added", idOf("a")]],
    version,
  ]);
});

it("filters that mean the same are charged once, however they are written; others are not", async () => {
  const { key } = await service.createAccount(AMPLE);
  const records = (city: string) => [
    broker("a", { city, authority_granted: "2026-11-17" }),
    broker("b", { city, authority_granted: "2026-11-17", state: "CA" }),
  ];
  const begin = await publish(service, records("AUSTIN"), { asOf: "2026-11-22" });
  await publish(service, records("WACO"), { asOf: "2026-11-23" });
  const costOf = async (filters: string): Promise<string | null> => {
    const answer = await service.get(`/v1/feeds/${path(`since_version=${begin}&${filters}`)}`, key);
    expect([filters, answer.status]).toEqual([filters, 200]);
    return answer.headers.get("x-quota-cost");
  };
  expect(await costOf("state=TX,CA&max_days_in_business=6")).toBe("2");
  for (const same of [
    "state=CA,TX&max_days_in_business=6",
    "max_days_in_business=006&state=tx,ca",
    "state=CA&state=TX&state=CA&max_days_in_business=6",
    "state=CA,TX&max_days_in_business=6&exclude_individuals=false",
  ]) {
    expect([same, await costOf(same)]).toEqual([same, "0"]);
  }
  // The same at the end of the way, but not at its beginning.
  expect(await costOf("state=TX,CA&granted_since=2026-11-17")).toBe("2");
  expect(await costOf("state=TX,CA&max_days_in_business=6&op=changed")).toBe("2");
  expect(await costOf("state=TX&max_days_in_business=6")).toBe("1");
});

// Whose quota ended with the month was charged all pages of the walk again with the next one, which the new quota did not have.
it("a walk that goes on in a new month costs the rows of its further pages", async () => {
  const { key } = await service.createAccount({ ...AMPLE, rowsPerMonth: 3 });
  const letters = ["a", "b", "c", "d", "e"];
  const records = (city: string) => letters.map((letter) => broker(letter, { city }));
  service.clock.set("2026-11-30T23:00:00Z");
  const begin = await publish(service, records("AUSTIN"), { asOf: "2026-11-30" });
  await publish(service, records("WACO"), { asOf: "2026-11-30" });
  const { next_cursor } = await changes(`since_version=${begin}&limit=3`, key);
  const rest = path(`cursor=${next_cursor}&limit=1`);
  expect(await refusalOf(service, rest, key)).toEqual([429, "quota_exceeded"]);
  service.clock.set("2026-12-01T00:01:00Z");
  const head = await service.send("HEAD", `/v1/feeds/${rest}`, { key });
  expect(head.headers.get("x-quota-cost")).toBe("1");
  const page = await changes(`cursor=${next_cursor}&limit=1`, key);
  expect(await rowsUsed(service, key)).toBe(1);
  expect((await changes(`cursor=${page.next_cursor}`, key)).next_cursor).toBeNull();
  expect(await rowsUsed(service, key)).toBe(2);
});
