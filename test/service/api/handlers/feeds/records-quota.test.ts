import { describe, expect, it } from "vitest";
import type { FeedCode } from "../../../../../src/feeds/catalogue.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { recordsOf } from "../../../../support/feeds/every-record.ts";
import { publishFeed } from "../../../../support/feeds/published-feed.ts";
import { expectProblem } from "../../../../support/problems.ts";
import { ask, BROKERS, key, NEW, read, rowsUsed, service, useRecordPages } from "./record-pages.ts";

useRecordPages();

describe("an entity tag", () => {
  const tagOf = (answer: Response) => answer.headers.get("etag") ?? "";

  it("sent back is 304 without a body, and free, even when the quota is used up", async () => {
    const { key: sender } = await service.createAccount({ ...AMPLE, rowsPerMonth: 10 });
    const first = await ask(NEW, "page_size=10", sender);
    const tag = tagOf(first);
    expect(tag).toMatch(/^W\/"[^"]+"$/);
    for (const sent of [tag, tag.slice(2), `"x", ${tag}`, "*"]) {
      const again = await ask(NEW, "page_size=10", sender, { "If-None-Match": sent });
      expect([sent, again.status, await again.text()]).toEqual([sent, 304, ""]);
      expect(tagOf(again)).toBe(tag);
    }
    expect(await rowsUsed(sender)).toBe(10);
    await expectProblem(await ask(NEW, "page_size=10", sender), 429, "quota_exceeded");
  });

  it("differs for another page, size, filter, since, feed and plan, which are answered in full", async () => {
    const { key: texan } = await service.createAccount({ ...AMPLE, feeds: { [NEW]: ["TX"] } });
    const tag = tagOf(await ask(NEW));
    const others: [feed: string, query: string, sender: string][] = [
      [NEW, "page=2", key],
      [NEW, "page_size=99", key],
      [NEW, "state=TX", key],
      [NEW, "trucks_min=0", key],
      [NEW, "since=2026-11-20", key],
      ["us_small_carriers_active", "", key],
      [NEW, "", texan],
    ];
    for (const [feed, query, sender] of others) {
      const answer = await ask(feed, query, sender, { "If-None-Match": tag });
      expect([feed, query, answer.status]).toEqual([feed, query, 200]);
      expect(tagOf(answer)).not.toBe(tag);
    }
  });

  it("does not save a request that is refused", async () => {
    const headers = { "If-None-Match": "*" };
    expect((await ask(NEW, "state=ZZ", key, headers)).status).toBe(400);
    expect((await ask(NEW, "page=0", key, headers)).status).toBe(422);
    expect((await ask("us_unicorns", "", key, headers)).status).toBe(403);
  });
});

describe("the quota", () => {
  it("is used to its last row: a page too large is refused, a smaller one still fits", async () => {
    const { key: sender } = await service.createAccount({ ...AMPLE, rowsPerMonth: 25 });
    expect((await read(NEW, "page_size=21", sender)).data).toHaveLength(21);
    await expectProblem(await ask(NEW, "page_size=5", sender), 429, "quota_exceeded", "4 of the 25");
    expect(await rowsUsed(sender)).toBe(21);
    expect((await read(NEW, "page_size=4", sender)).data).toHaveLength(4);
    await expectProblem(await ask(NEW, "page_size=1", sender), 429, "quota_exceeded", "0 of the 25");
    // An answer without rows is free.
    expect((await read(NEW, "state=WY", sender)).data).toEqual([]);
    expect((await read(NEW, "page=1000", sender)).data).toEqual([]);
    expect(await rowsUsed(sender)).toBe(25);
  });

  it("does not change for a request that is refused", async () => {
    const { key: sender } = await service.createAccount({ ...AMPLE, feeds: { [NEW]: null } });
    for (const [feed, query] of [
      [NEW, "state=ZZ"],
      [NEW, "page=0"],
      [NEW, "version=999999"],
      [BROKERS, ""],
    ] as const) {
      expect((await ask(feed, query, sender)).status).toBeGreaterThanOrEqual(400);
    }
    expect(await rowsUsed(sender)).toBe(0);
  });
});

it("reports errors in the contract's order: contract, plan, filter, freshness, quota", async () => {
  await publishFeed(service.context.db, BROKERS, {
    records: recordsOf(BROKERS),
    asOf: "2026-11-01",
    now: service.clock.now(),
  });
  const { key: spent } = await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS, rowsPerMonth: 0 });
  const answers: [feed: FeedCode | string, query: string, status: number, code: string | undefined][] = [
    ["us_unicorns", "page=0&state=ZZ", 422, undefined],
    ["us_unicorns", "state=ZZ", 403, "not_entitled"],
    [BROKERS, "state=ZZ", 400, "invalid_filter"],
    [BROKERS, "state=TX", 503, "stale_source"],
    [NEW, "state=TX", 429, "quota_exceeded"],
  ];
  for (const [feed, query, status, code] of answers) {
    const answer = await ask(feed, query, spent);
    const body = (await answer.json()) as { code?: string };
    expect([query, answer.status, body.code]).toEqual([query, status, code]);
  }
});
