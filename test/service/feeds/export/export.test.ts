import { readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import { hostname } from "node:os";
import path from "node:path";
import { finished, pipeline } from "node:stream/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { type ExportAnswer, type ExportOptions, exportFeed } from "../../../../src/feeds/export/export.ts";
import { dropExpiredVersions, expireReplacedVersions } from "../../../../src/feeds/publish/old-versions.ts";
import {
  type FeedsFixture,
  filters,
  openFeedsFixture,
  rowsUsed,
} from "../../../support/feeds/feeds-fixture.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { changeRows, removeRows } from "../../../support/rows.ts";

const BROKERS = "us_brokers";
const COUNT = 3_000;

let fixture: FeedsFixture;
beforeEach(async () => {
  fixture = await openFeedsFixture();
});
afterEach(() => fixture.close());

const publish = (count = COUNT, company = "ACME"): Promise<number> =>
  publishFeed(fixture.context.db, BROKERS, {
    records: Array.from({ length: count }, (_, index) =>
      feedRecord(BROKERS, {
        company: `${company} ${index + 1}`,
        dot_number: String(index + 1),
        state: index % 3 === 0 ? "TX" : "CA",
        street: "x".repeat(index % 97),
      }),
    ),
    asOf: "2026-11-20",
    now: fixture.clock.now(),
  });

type Asked = ExportOptions & {
  sent?: Record<string, string>;
  ifNoneMatch?: string;
  context?: FeedsFixture["context"];
};

const ask = ({ sent, ifNoneMatch, context = fixture.context, ...options }: Asked, caller: Caller) =>
  exportFeed(
    context,
    caller,
    BROKERS,
    { filters: filters(sent), ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }) },
    options,
  );

const bodyOf = (answer: ExportAnswer) => {
  if (answer.status !== 200) throw new Error("not an export");
  return answer.body;
};

const textOf = async (answer: ExportAnswer): Promise<string> =>
  Buffer.concat(await bodyOf(answer).toArray()).toString();

const national = (rowsPerMonth = 1_000_000): Promise<Caller> =>
  fixture.caller({ feeds: { [BROKERS]: null }, rowsPerMonth });

const cacheFiles = async (): Promise<string[]> =>
  (await readdir(path.join(fixture.context.config.dataDir, "cache"), { recursive: true })).filter((name) =>
    /us_.*(?<!\.lengths)$/.test(name),
  );

const cachedFile = async (): Promise<string> => {
  const [name = ""] = await cacheFiles();
  return path.join(fixture.context.config.dataDir, "cache", name);
};

const problem = (code: string, detail: RegExp = /./) =>
  expect.objectContaining({ name: "ProblemError", code, message: expect.stringMatching(detail) });

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

describe("a broken export", () => {
  /** Takes `taken` chunks, then disconnects; returns the number of rows in them. */
  const leaveAfter = async (answer: ExportAnswer, taken: number): Promise<number> => {
    const body = bodyOf(answer);
    const reader = body[Symbol.asyncIterator]();
    const chunks: Buffer[] = [];
    while (chunks.length < taken) {
      const { done, value } = await reader.next();
      if (done) break;
      chunks.push(value);
    }
    await reader.return?.();
    body.destroy();
    if (!body.closed) await finished(body).catch(() => {});
    const lines = Buffer.concat(chunks).toString().split("\r\n").length - 2;
    return Math.max(0, lines);
  };

  it("refunds exactly the rows that were not delivered", async () => {
    await publish();
    const caller = await national();
    let used = 0;
    // Rows delivered before are paid; nobody pays for the same row twice.
    for (const taken of [0, 1, 2, 1, 3, 0, 5, 100, 2, 100]) {
      used = Math.max(used, await leaveAfter(await ask({}, caller), taken));
      expect(await rowsUsed(fixture.context, caller), `after ${taken} chunks`).toEqual({
        api: 0,
        export: used,
        quota: used,
      });
    }
    expect(used).toBe(COUNT);
  });

  it("refunds to the month of the charge", async () => {
    await publish();
    fixture.clock.set("2026-11-24T23:59:00Z");
    const caller = await national();
    const answer = await ask({}, caller);
    fixture.clock.set("2026-12-01T00:01:00Z");
    bodyOf(answer).destroy();
    await finished(bodyOf(answer)).catch(() => {});
    expect((await rowsUsed(fixture.context, caller)).quota).toBe(0);
    fixture.clock.set("2026-11-30T00:00:00Z");
    expect((await rowsUsed(fixture.context, caller)).quota).toBe(0);
  });

  it("is charged completely when another one of the same content ends complete, in any order", async () => {
    await publish();
    for (const isBrokenLast of [false, true]) {
      const caller = await national(COUNT);
      const [broken, whole] = [await ask({}, caller), await ask({}, caller)];
      const end = [() => leaveAfter(broken, 2), () => textOf(whole)];
      for (const one of isBrokenLast ? end.reverse() : end) {
        await one();
        expect((await rowsUsed(fixture.context, caller)).export).toBe(COUNT);
      }
    }
  });

  it("and another one, both broken, are charged the rows of the longer one", async () => {
    await publish();
    const caller = await national(COUNT);
    const [one, two] = [await ask({}, caller), await ask({}, caller)];
    const taken = [await leaveAfter(one, 2), await leaveAfter(two, 3)];
    expect(taken[1]).toBeGreaterThan(taken[0] ?? 0);
    expect((await rowsUsed(fixture.context, caller)).export).toBe(taken[1]);
  });

  it("over a real connection frees file, slot and quota when the client disconnects", async () => {
    await publish(30_000);
    const caller = await national();
    const answers: ExportAnswer[] = [];
    const server = createServer(async (_request, response) => {
      const answer = await ask({}, caller);
      answers.push(answer);
      await pipeline(bodyOf(answer), response).catch(() => {});
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    for (let time = 0; time < 6; time++) {
      await new Promise<void>((resolve) => {
        const request = get({ port, host: "127.0.0.1" }, (response) => {
          response.once("data", () => {
            request.destroy();
            resolve();
          });
        });
        request.on("error", () => {});
      });
      const body = bodyOf(answers[time] as ExportAnswer);
      if (!body.closed) await finished(body).catch(() => {});
    }
    await textOf(await ask({}, caller));
    expect((await rowsUsed(fixture.context, caller)).export).toBe(30_000);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("ends with an error when its file is not the version, never as a short success", async () => {
    await publish();
    const caller = await national();
    const whole = await textOf(await ask({}, caller));
    const answer = await ask({}, caller);
    const file = await cachedFile();
    await truncate(file, (await stat(file)).size - 20);
    await expect(textOf(answer)).rejects.toThrow(/found 2999/);
    // The next one makes it anew.
    expect(await textOf(await ask({}, caller))).toBe(whole);
    expect((await rowsUsed(fixture.context, caller)).export).toBe(COUNT);
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
