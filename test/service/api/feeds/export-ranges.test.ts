// Exports in parts: any process continues what another began, with the same bytes, and it is charged once.
import { createHash } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import { createRandom } from "@trucking-data-feed/registry-generator/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../../../src/generated/types.ts";
import { untilExportsEnd } from "../../../support/feeds/exports.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { changeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const BROKERS = "us_brokers";
const ROWS = 4_000;
const FORMATS = ["csv", "ndjson", "parquet"] as const;

let services: TestService[];
beforeAll(async () => {
  const first = await startTestService();
  await publish(first);
  // Without a file of the first: each service has a DATA_DIR of its own.
  const databaseUrl = first.context.config.databaseUrl ?? "";
  services = [first, await startTestService({ databaseUrl, clock: first.clock })];
});
afterAll(async () => {
  for (const service of services.reverse()) await service.stop();
});

const publish = (
  { context, clock }: TestService,
  asOf = "2026-11-20",
  street = "MAIN STREET",
): Promise<number> =>
  publishFeed(context.db, BROKERS, {
    records: Array.from({ length: ROWS }, (_, index) =>
      feedRecord(BROKERS, {
        company: `COMPANY ${(index * 7_919) % 65_537} é`,
        dot_number: String(index + 1),
        state: index % 2 === 0 ? "TX" : "CA",
        street: `${(index * 104_729) % 9_973} ${street}`,
      }),
    ),
    asOf,
    now: clock.now(),
  });

const one = (): TestService => services[0] as TestService;
const other = (): TestService => services[1] as TestService;

const PLAN = {
  feeds: { [BROKERS]: null },
  requestsPerMinute: 1_000_000,
  rowsPerMonth: ROWS,
  concurrentExports: 50,
};

const pathOf = (format: string, query = "") => `/v1/feeds/${BROKERS}/export.${format}${query}`;

type Sent = Record<string, string>;

const ask = (service: TestService, path: string, key: string, sent: Sent = {}): Promise<Response> =>
  service.get(path, key, { "Accept-Encoding": "identity", ...sent });

const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Reads at most so many bytes of an answer, then disconnects. */
async function take(
  service: TestService,
  path: string,
  sent: Sent,
  most: number,
): Promise<IncomingMessage & { taken: Buffer }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      service.url + path,
      { headers: { "Accept-Encoding": "identity", ...sent }, agent: false },
      resolve,
    ).on("error", reject);
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, most - size));
    size += chunk.length;
    if (size >= most) break;
  }
  answer.destroy();
  return Object.assign(answer, { taken: Buffer.concat(chunks) });
}

async function exportRowsOf(key: string): Promise<number> {
  const answer = await one().get("/v1/usage", key);
  return ((await answer.json()) as components["schemas"]["UsageOut"]).usage.export_rows;
}

describe.each(FORMATS)("an export as %s", (format) => {
  it("cut at ten random bytes and continued on another process is the whole file, charged once", async () => {
    const { key } = await one().createAccount(PLAN);
    const whole = await ask(one(), pathOf(format), key);
    const expected = await bytesOf(whole);
    const etag = whole.headers.get("etag") ?? "";
    const { accountId, key: cut } = await one().createAccount(PLAN);
    // The licence is in every row of a CSV.
    const { rows } = await one().context.db.pool.query("SELECT licence_ref FROM account WHERE id = $1", [
      accountId,
    ]);
    const mine =
      format === "csv"
        ? Buffer.from(
            expected
              .toString()
              .replaceAll(whole.headers.get("x-licence-reference") ?? "", rows[0].licence_ref),
          )
        : expected;
    const head = await one().send("HEAD", pathOf(format), {
      key: cut,
      headers: { "Accept-Encoding": "identity" },
    });
    const tag = head.headers.get("etag") ?? "";
    expect(Number(head.headers.get("content-length"))).toBe(mine.length);
    if (format !== "csv") expect(tag).toBe(etag);
    const random = createRandom(19, 0, 0);
    let have = Buffer.alloc(0);
    for (let time = 0; time < 10; time++) {
      const service = services[time % 2] as TestService;
      const range = have.length === 0 ? {} : { Range: `bytes=${have.length}-`, "If-Range": tag };
      const most = 1 + Math.floor((random.next() * (mine.length - have.length)) / 3);
      const part = await take(service, pathOf(format), { "X-API-Key": cut, ...range }, most);
      expect(part.statusCode).toBe(time === 0 ? 200 : 206);
      have = Buffer.concat([have, part.taken]);
    }
    const last = await ask(other(), pathOf(format), cut, { Range: `bytes=${have.length}-`, "If-Match": tag });
    expect([last.status, last.headers.get("content-range")]).toEqual([
      206,
      `bytes ${have.length}-${mine.length - 1}/${mine.length}`,
    ]);
    have = Buffer.concat([have, await bytesOf(last)]);
    expect(sha256(have)).toBe(sha256(mine));
    await untilExportsEnd(one().context);
    expect(await exportRowsOf(cut)).toBe(ROWS);
  });

  it("answers a range by exactly its bytes, and what is no range by the whole file", async () => {
    const { key } = await one().createAccount(PLAN);
    const whole = await bytesOf(await ask(one(), pathOf(format, "?state=TX"), key));
    const size = whole.length;
    const part = async (range: string, sent: Sent = {}) => {
      const answer = await ask(other(), pathOf(format, "?state=TX"), key, { Range: range, ...sent });
      return {
        status: answer.status,
        range: answer.headers.get("content-range"),
        bytes: await bytesOf(answer),
      };
    };
    for (const [range, first, last] of [
      ["bytes=0-0", 0, 0],
      ["bytes=0-", 0, size - 1],
      ["BYTES=7-7", 7, 7],
      ["bytes=1-1000", 1, 1000],
      [`bytes=${size - 1}-${size + 500}`, size - 1, size - 1],
      ["bytes=-300", size - 300, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
      ["bytes=0-99999999999999999999999", 0, size - 1],
      ["bytes=-99999999999999999999999", 0, size - 1],
      ["bytes=20000-290000", 20_000, Math.min(290_000, size - 1)],
    ] as const) {
      const answer = await part(range);
      expect(answer).toMatchObject({ status: 206, range: `bytes ${first}-${last}/${size}` });
      expect(answer.bytes.equals(whole.subarray(first, last + 1)), range).toBe(true);
    }
    for (const range of ["bytes=5-2", "bytes=", "bytes=-", "rows=1-2", "bytes=0-1,5-6", "bytes=a-b"]) {
      const answer = await part(range);
      expect([range, answer.status, sha256(answer.bytes)]).toEqual([range, 200, sha256(whole)]);
    }
    for (const range of [`bytes=${size}-`, "bytes=-0", "bytes=99999999999999999999999-"]) {
      const answer = await part(range);
      expect(answer).toMatchObject({ status: 416, range: `bytes */${size}` });
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ code: "range_not_satisfiable" });
    }
    await untilExportsEnd(one().context);
    expect(await exportRowsOf(key)).toBe(ROWS / 2);
  });

  it("without a row is answered whole, even when its first bytes are asked for", async () => {
    const { key } = await one().createAccount(PLAN);
    const path = pathOf(format, "?state=NY");
    const whole = await bytesOf(await ask(one(), path, key));
    const answer = await ask(other(), path, key, { Range: "bytes=0-" });
    expect([answer.status, sha256(await bytesOf(answer))]).toEqual([
      format === "ndjson" ? 200 : 206,
      sha256(whole),
    ]);
    await untilExportsEnd(one().context);
  });

  it("with a removal in between is 412, or whole anew, and never a mixture", async () => {
    const { key } = await one().createAccount(PLAN);
    const path = pathOf(format, "?state=CA");
    const before = await ask(one(), path, key);
    const old = await bytesOf(before);
    const tag = before.headers.get("etag") ?? "";
    await removeBusinesses(one().context.db, [2_000]);
    try {
      for (const service of services) {
        const refused = await ask(service, path, key, { Range: "bytes=100-", "If-Match": tag });
        expect([refused.status, await refused.json()]).toMatchObject([412, { code: "export_changed" }]);
        const anew = await ask(service, path, key, { Range: "bytes=100-", "If-Range": tag });
        const bytes = await bytesOf(anew);
        expect([anew.status, anew.headers.get("x-row-count")]).toEqual([200, String(ROWS / 2 - 1)]);
        expect(bytes.equals(old)).toBe(false);
        if (format !== "parquet") expect(bytes.toString()).not.toMatch(/[",]2000[",]/);
        expect(anew.headers.get("etag")).not.toBe(tag);
      }
      const head = await other().send("HEAD", path, { key, headers: { "If-Match": tag } });
      expect(head.status).toBe(412);
    } finally {
      await undoRemovals(one().context.db);
    }
    // Shown again, it is the file from before.
    const again = await bytesOf(await ask(other(), path, key));
    expect(sha256(again)).toBe(sha256(old));
    await untilExportsEnd(one().context);
    expect(await exportRowsOf(key)).toBe(ROWS / 2);
  });
});

describe("what a client asks for", () => {
  // The rule of a downloader is: at 412 begin again. A version that has gone is no mistake of the request.
  it("is 412 when the version of its If-Match has gone, in every format", async () => {
    const { key } = await one().createAccount(PLAN);
    const first = await publish(one());
    await publish(one());
    for (const format of FORMATS) {
      const path = pathOf(format, `?version=${first}`);
      const { headers } = await one().send("HEAD", path, { key });
      const sent = { Range: "bytes=100-", "If-Match": headers.get("etag") ?? "" };
      await changeRows(
        one().context.db.pool,
        "feed_version",
        { replaced_at: "2026-11-20T11:59:00Z" },
        { id: first },
      );
      for (const ifMatch of [sent, { ...sent, "If-Match": "*" }]) {
        const refused = await ask(other(), path, key, ifMatch);
        expect([refused.status, await refused.json()]).toMatchObject([
          412,
          { code: "export_changed", detail: expect.stringContaining(`version ${first} does not exist`) },
        ]);
      }
      expect((await other().send("HEAD", path, { key, headers: sent })).status).toBe(412);
      const asked = await ask(other(), path, key, { Range: "bytes=100-" });
      expect([asked.status, await asked.json()]).toMatchObject([400, { code: "invalid_filter" }]);
      await changeRows(
        one().context.db.pool,
        "feed_version",
        { replaced_at: one().clock.now() },
        { id: first },
      );
    }
  });

  it("is whole when If-Range is weak, a date, or another tag; HEAD has no ranges", async () => {
    const { key } = await one().createAccount(PLAN);
    const head = await one().send("HEAD", pathOf("ndjson"), {
      key,
      headers: { "Accept-Encoding": "identity", Range: "bytes=0-9" },
    });
    expect(head.status).toBe(200);
    const tag = head.headers.get("etag") ?? "";
    for (const ifRange of [`W/${tag}`, "Sat, 21 Nov 2026 12:00:00 GMT", '"another"', "*"]) {
      const answer = await ask(one(), pathOf("ndjson"), key, { Range: "bytes=0-9", "If-Range": ifRange });
      await answer.arrayBuffer();
      expect([ifRange, answer.status]).toEqual([ifRange, 200]);
    }
    const part = await ask(one(), pathOf("ndjson"), key, { Range: "bytes=0-9", "If-Range": tag });
    expect([part.status, (await bytesOf(part)).length]).toEqual([206, 10]);
  });

  it("is not compressed when it is a range, and has no ranges when it is compressed", async () => {
    const { key } = await one().createAccount(PLAN);
    const sent = { "Accept-Encoding": "gzip" };
    const part = await ask(one(), pathOf("csv"), key, { ...sent, Range: "bytes=0-9" });
    expect([part.status, part.headers.get("content-encoding"), part.headers.get("content-length")]).toEqual([
      206,
      null,
      "10",
    ]);
    expect(part.headers.get("etag")).toMatch(/^"/);
    await part.arrayBuffer();
    const whole = await ask(one(), pathOf("csv"), key, sent);
    await whole.arrayBuffer();
    expect([
      whole.headers.get("content-encoding"),
      whole.headers.get("accept-ranges"),
      whole.headers.get("content-length"),
    ]).toEqual(["gzip", "none", null]);
    const parquet = await ask(one(), pathOf("parquet"), key, sent);
    const { length } = await bytesOf(parquet);
    expect([
      parquet.headers.get("content-encoding"),
      parquet.headers.get("accept-ranges"),
      parquet.headers.get("content-length"),
    ]).toEqual([null, "bytes", String(length)]);
  });

  it("is told by HEAD for free: size, rows, checkpoint; the size of a Parquet file once it was made", async () => {
    const { key } = await one().createAccount(PLAN);
    const path = (format: string) => pathOf(format, "?granted_since=2020-01-01");
    const count = (await (
      await one().get(`/v1/feeds/${BROKERS}/count?granted_since=2020-01-01`, key)
    ).json()) as components["schemas"]["RecordCountOut"];
    for (const format of FORMATS) {
      const sent = { key, headers: { "Accept-Encoding": "identity" } };
      const head = await one().send("HEAD", path(format), sent);
      expect(head.status).toBe(200);
      expect(head.headers.get("x-row-count")).toBe(String(count.rows));
      expect(head.headers.get("x-checkpoint-version")).toBe(String(count.meta.version));
      expect(head.headers.get("x-checkpoint-digest")).toBe(count.meta.checkpoint?.digest);
      expect(head.headers.has("content-length")).toBe(format !== "parquet");
      expect(await exportRowsOf(key)).toBe(0);
    }
    const { length } = await bytesOf(await ask(one(), path("parquet"), key));
    const made = await one().send("HEAD", path("parquet"), { key });
    expect(made.headers.get("content-length")).toBe(String(length));
  });
});

it("the same content in every format costs its rows once, as HEAD tells before", async () => {
  const { key } = await one().createAccount(PLAN);
  const costOf = ({ headers }: Response) => [headers.get("x-quota-cost"), headers.get("x-quota-remaining")];
  const head = () => one().send("HEAD", pathOf("parquet"), { key });
  expect(costOf(await head())).toEqual([String(ROWS), String(ROWS)]);
  for (const [index, format] of FORMATS.entries()) {
    const answer = await ask(one(), pathOf(format), key);
    expect([answer.status, ...costOf(answer)]).toEqual([200, index === 0 ? String(ROWS) : "0", "0"]);
    await answer.arrayBuffer();
  }
  expect(costOf(await head())).toEqual(["0", "0"]);
  expect(await exportRowsOf(key)).toBe(ROWS);
});

it("a part counts the rows up to its end, and a broken one those that it delivered", async () => {
  const { key } = await one().createAccount(PLAN);
  const lines = (await bytesOf(await ask(one(), pathOf("ndjson"), (await one().createAccount(PLAN)).key)))
    .toString()
    .split("\n");
  const first = lines.slice(0, 10).join("\n").length;
  await (await ask(one(), pathOf("ndjson"), key, { Range: `bytes=0-${first - 1}` })).arrayBuffer();
  await untilExportsEnd(one().context);
  expect(await exportRowsOf(key)).toBe(10);
  await (await ask(one(), pathOf("ndjson"), key, { Range: "bytes=-1" })).arrayBuffer();
  await untilExportsEnd(one().context);
  expect(await exportRowsOf(key)).toBe(ROWS);
});

describe.each(FORMATS)("a part of an export as %s", (format) => {
  // It was refused as if the whole file were asked for, although its own rows were paid or cheaper than the file.
  it("costs the rows up to its last byte, also where the quota has too few for the file", async () => {
    const { key } = await one().createAccount(PLAN);
    const part = async (range: string) => {
      const answer = await ask(one(), pathOf(format), key, { Range: `bytes=${range}` });
      const code = answer.ok ? null : ((await answer.json()) as components["schemas"]["Problem"]).code;
      if (answer.ok) await answer.arrayBuffer();
      await untilExportsEnd(one().context);
      return { status: answer.status, code, cost: Number(answer.headers.get("x-quota-cost")) };
    };
    // HEAD tells the size of a Parquet file once it was made.
    await bytesOf(await ask(one(), pathOf(format), (await one().createAccount(PLAN)).key));
    const head = await one().send("HEAD", pathOf(format), {
      key,
      headers: { "Accept-Encoding": "identity" },
    });
    const size = Number(head.headers.get("content-length"));
    const third = Math.floor(size / 3);
    const first = await part(`0-${third}`);
    expect(first.status).toBe(206);
    expect(first.cost).toBe(await exportRowsOf(key));
    expect(Math.abs(first.cost - ROWS / 3)).toBeLessThan(20);
    for (let page = 1; page <= 2; page++) {
      await (await ask(one(), `/v1/feeds/${BROKERS}/records?page_size=1000&page=${page}`, key)).arrayBuffer();
    }
    expect(await part(`0-${third}`)).toEqual({ status: 206, code: null, cost: 0 });
    expect(await part(`${third - 9}-${third}`)).toEqual({ status: 206, code: null, cost: 0 });
    expect(await part(`${third}-`)).toEqual({ status: 429, code: "quota_exceeded", cost: 0 });
    const next = await part(`${third}-${third + 9_000}`);
    expect(next).toMatchObject({ status: 206, code: null });
    expect(await exportRowsOf(key)).toBe(first.cost + next.cost);
  });
});

it("the header line of a CSV is free, also without a row left", async () => {
  const { key } = await one().createAccount({ ...PLAN, rowsPerMonth: 0 });
  const answer = await ask(one(), pathOf("csv"), key, { Range: "bytes=0-10" });
  expect([answer.status, answer.headers.get("x-quota-cost"), (await bytesOf(answer)).length]).toEqual([
    206,
    "0",
    11,
  ]);
  await untilExportsEnd(one().context);
});

// Each such request made the file, and kept the queue of makers from customers with quota.
it("a part of a Parquet file that is not made yet needs the quota for the whole, unless some of it is paid", async () => {
  const path = pathOf("parquet", "?state=TX");
  const account = async (rowsPerMonth: number) => (await one().createAccount({ ...PLAN, rowsPerMonth })).key;
  const [poor, payer] = [await account(1), await account(ROWS / 2)];
  const part = async (service: TestService, key: string, Range: string) => {
    const answer = await ask(service, path, key, { Range });
    await answer.arrayBuffer();
    return answer.status;
  };
  const isMade = async () => (await one().send("HEAD", path, { key: payer })).headers.has("content-length");
  expect(await part(one(), poor, "bytes=0-")).toBe(429);
  expect(await isMade()).toBe(false);
  expect(await part(one(), payer, "bytes=0-")).toBe(206);
  expect(await isMade()).toBe(true);
  await untilExportsEnd(one().context);
  // The first bytes are a row.
  expect([await part(one(), poor, "bytes=0-3"), await part(one(), poor, "bytes=0-")]).toEqual([206, 429]);
  expect(await part(other(), payer, "bytes=0-")).toBe(206);
  await untilExportsEnd(one().context);
});

it("a part at the end of a Parquet file counts all rows, however short it is", async () => {
  const { key } = await one().createAccount(PLAN);
  const answer = await ask(one(), pathOf("parquet"), key, { Range: "bytes=-8" });
  expect([answer.status, (await bytesOf(answer)).length]).toEqual([206, 8]);
  await untilExportsEnd(one().context);
  expect(await exportRowsOf(key)).toBe(ROWS);
});

// The next three come last: they move the clock.
it("a download that breaks at a month's end and goes on in the next one is not paid twice", async () => {
  const { key } = await one().createAccount(PLAN);
  const { clock, context } = one();
  const costOf = async (format: string, sent: Sent) => {
    const answer = await ask(one(), pathOf(format), key, sent);
    await answer.arrayBuffer();
    await untilExportsEnd(context);
    return Number(answer.headers.get("x-quota-cost"));
  };
  clock.set("2026-11-30T23:59:00Z");
  await publish(one(), "2026-11-30");
  const begun = await costOf("ndjson", { Range: "bytes=0-99999" });
  clock.set("2026-12-01T00:01:00Z");
  // The row that was cut counts in both.
  expect(await costOf("ndjson", { Range: "bytes=100000-" })).toBe(ROWS - begun + 1);
  // In the new month, too, the file counts once.
  expect(await costOf("csv", {})).toBe(0);
  expect(await exportRowsOf(key)).toBe(ROWS - begun + 1);
});

// Else who breaks off a download at the end of a month could have the file for its last byte.
it("what a download at a month's end did not take is paid in the next one", async () => {
  const { key } = await one().createAccount(PLAN);
  const { clock, context } = one();
  clock.set("2026-11-30T23:59:00Z");
  const { length: size } = await bytesOf(
    await ask(one(), pathOf("ndjson"), (await one().createAccount(PLAN)).key),
  );
  await take(one(), pathOf("ndjson"), { "X-API-Key": key }, 1);
  await untilExportsEnd(context);
  const taken = await exportRowsOf(key);
  clock.set("2026-12-01T00:01:00Z");
  const last = await ask(one(), pathOf("ndjson"), key, { Range: `bytes=${size - 1}-` });
  await last.arrayBuffer();
  expect([last.status, last.headers.get("x-quota-cost")]).toEqual([206, String(ROWS - taken)]);
  await untilExportsEnd(context);
});

// Charged are all its rows while it runs; those that it does not deliver are given back in the end.
it("a download that still runs at a month's end pays nothing of the next one", async () => {
  const { key } = await one().createAccount(PLAN);
  const { clock, context } = one();
  clock.set("2026-11-30T23:59:00Z");
  // More than the buffers of a connection take.
  await publish(one(), "2026-11-30", "LONG STREET".repeat(500));
  const { length: size } = await bytesOf(
    await ask(one(), pathOf("ndjson"), (await one().createAccount(PLAN)).key),
  );
  const running = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { "Accept-Encoding": "identity", "X-API-Key": key };
    get(one().url + pathOf("ndjson"), { headers, agent: false }, resolve).on("error", reject);
  });
  try {
    expect(await exportRowsOf(key)).toBe(ROWS);
    clock.set("2026-12-01T00:01:00Z");
    const last = await ask(one(), pathOf("ndjson"), key, { Range: `bytes=${size - 1}-` });
    await last.arrayBuffer();
    expect([last.status, last.headers.get("x-quota-cost")]).toEqual([206, String(ROWS)]);
  } finally {
    running.destroy();
    await untilExportsEnd(context);
  }
});
