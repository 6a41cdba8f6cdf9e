import { readFile, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { finished } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import { exportFeed } from "../../../../src/feeds/export/export.ts";
import { dropExpiredVersions, expireReplacedVersions } from "../../../../src/feeds/publish/old-versions.ts";
import { filters, rowsUsed } from "../../../support/feeds/feeds-fixture.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { changeRows, removeRows } from "../../../support/rows.ts";
import {
  ask,
  BROKERS,
  bodyOf,
  COUNT,
  cachedFile,
  cacheFiles,
  fixture,
  national,
  problem,
  publish,
  textOf,
  useBrokers,
} from "./broker-exports.ts";

useBrokers();

describe("an export", () => {
  it("names feed, day and licence in its headers, and the licence in every row", async () => {
    await publish(10);
    const caller = await national();
    const answer = await ask({}, caller);
    expect(answer.headers).toEqual({
      ETag: expect.stringMatching(/^"[^"]+"$/),
      "Accept-Ranges": "bytes",
      "X-Row-Count": "10",
      "X-Checkpoint-Version": "1",
      "X-Checkpoint-Removals": "1",
      "X-Checkpoint-Digest": expect.stringMatching(/^[0-9a-f]{16}$/),
      "X-As-Of": "2026-11-20",
      "X-Verified-On-Motus": "2026-11-20",
      "X-Verified-On-Legacy": "2026-05-14",
      "Content-Disposition": expect.stringMatching(/^attachment; filename="?us_brokers_2026-11-20\.csv"?$/),
      "X-Licence-Reference": caller.licenceRef,
    });
    const [header = "", ...lines] = (await textOf(answer)).split("\r\n");
    expect(header).toMatch(/,last_verified,(?:.*,)?licence_ref$/);
    expect(lines.pop()).toBe("");
    expect(lines).toHaveLength(10);
    for (const line of lines) expect(line.endsWith(`,${caller.licenceRef}`)).toBe(true);
    expect(await rowsUsed(fixture.context, caller)).toEqual({ api: 0, export: 10, quota: 10 });
  });

  it("of a feed without rows is a header line, and free", async () => {
    await publish(0);
    const caller = await national(0);
    expect((await textOf(await ask({}, caller))).split("\r\n")).toHaveLength(2);
  });

  it("is charged once a month, and again for another version, filter or month", async () => {
    await publish(12);
    const caller = await national();
    const used = async () => (await rowsUsed(fixture.context, caller)).export;
    for (const _again of [1, 2, 3]) await textOf(await ask({}, caller));
    expect(await used()).toBe(12);
    await textOf(await ask({ sent: { state: "TX" } }, caller));
    await textOf(await ask({ sent: { state: "TX" } }, caller));
    expect(await used()).toBe(16);
    await publish(12, "NEXT");
    await textOf(await ask({}, caller));
    expect(await used()).toBe(28);
    fixture.clock.set("2026-12-01T00:00:00Z");
    await publishFeed(fixture.context.db, BROKERS, {
      records: [feedRecord(BROKERS, { dot_number: "1" })],
      asOf: "2026-11-30",
      now: fixture.clock.now(),
    });
    await textOf(await ask({}, caller));
    await textOf(await ask({}, caller));
    expect(await used()).toBe(1);
  });

  it("is refused like a page: plan, live, filter, freshness", async () => {
    const caller = await national();
    await expect(exportFeed(fixture.context, caller, "us_unicorns", { filters: filters() })).rejects.toEqual(
      problem("not_entitled"),
    );
    await expect(ask({}, caller)).rejects.toEqual(problem("feed_not_live"));
    await publish(10);
    await expect(ask({ sent: { page: "1" } }, caller)).rejects.toEqual(problem("invalid_filter", /"page"/));
    fixture.clock.set("2026-11-26T00:00:00Z");
    await expect(ask({}, caller)).rejects.toEqual(problem("stale_source"));
  });

  it("runs as often at a time per key as the plan says, and again when one ends in any way", async () => {
    await publish(10);
    const [plan, other] = [await national(), await national()];
    const caller = { ...plan, concurrentExports: 2 };
    const [one, two] = [await ask({}, caller), await ask({}, caller)];
    await expect(ask({}, caller)).rejects.toMatchObject({
      code: "too_many_exports",
      retryAfterSeconds: expect.any(Number),
    });
    await textOf(await ask({}, other));
    await textOf(one);
    const three = await ask({}, caller);
    for (const answer of [two, three]) {
      bodyOf(answer).destroy();
      await finished(bodyOf(answer)).catch(() => {});
    }
    await textOf(await ask({}, caller));
    // A refused one takes no slot.
    const poor = { ...(await national(0)), concurrentExports: 2 };
    for (let time = 0; time < 3; time++)
      await expect(ask({}, poor)).rejects.toEqual(problem("quota_exceeded"));
  });
});

describe("the file of a version", () => {
  it("is made once for all concurrent exports, and not again after a restart", async () => {
    const version = await publish();
    const callers = await Promise.all([1, 2, 3, 4].map(() => national()));
    await Promise.all(callers.map(async (caller) => textOf(await ask({}, caller))));
    expect(await cacheFiles()).toHaveLength(1);
    await changeRows(fixture.context.db.pool, `published.feed_${version}`, { csv: "made again" });
    const caller = await national();
    const restarted = await fixture.openAnother();
    const text = await textOf(await ask({ context: restarted }, caller));
    expect(text.split("\r\n")).toHaveLength(COUNT + 2);
    expect(text).not.toContain("made again");
  });

  it("is removed once the version is dropped, together with incomplete files of killed processes", async () => {
    await publish(10, "OLD");
    const caller = await national();
    await textOf(await ask({}, caller));
    const folder = path.dirname(await cachedFile());
    // No process has a number that large.
    await writeFile(path.join(folder, `us_brokers_1_1.csv.${hostname()}.4999999.part`), "half");
    await writeFile(path.join(folder, "us_brokers_1_1.csv.another-machine.7.part"), "half");
    await publish(10, "NEW");
    await fixture.context.db.transaction(async (client) => {
      await expireReplacedVersions(client);
      await dropExpiredVersions(client, fixture.clock.now());
    });
    expect(await textOf(await ask({}, caller))).toContain("NEW 10");
    const left = (await cacheFiles()).map((each) => path.basename(each)).sort();
    expect(left).toEqual([
      expect.stringMatching(/another-machine\.7\.part$/),
      expect.stringMatching(/^us_brokers_2_\d+\.csv$/),
    ]);
  });

  // Wrong lengths that a process remembered made each of its exports fail, and removed the whole file of all others.
  it.each(["too short", "of other rows"])("is made anew when its lengths are %s", async (kind) => {
    await publish();
    const caller = await national();
    const whole = await textOf(await ask({}, caller));
    const file = await cachedFile();
    const lengths = await readFile(`${file}.lengths`);
    await writeFile(
      `${file}.lengths`,
      kind === "too short" ? lengths.subarray(0, 100) : lengths.fill(1, 0, 100),
    );
    const [restarted, other] = [await fixture.openAnother(), await fixture.openAnother()];
    expect(await textOf(await ask({ context: restarted }, caller))).toBe(whole);
    const { ino } = await stat(file);
    for (const context of [restarted, other])
      expect(await textOf(await ask({ context }, caller))).toBe(whole);
    expect((await stat(file)).ino).toBe(ino);
  });

  it("does not exist when making it failed", async () => {
    const version = await publish(10);
    await removeRows(fixture.context.db.pool, `published.feed_${version}`, { pos: 10 });
    const caller = await national();
    await expect(ask({}, caller)).rejects.toThrow(/10 rows, its export 9/);
    expect(await cacheFiles()).toEqual([]);
    expect((await rowsUsed(fixture.context, caller)).quota).toBe(0);
  });
});
