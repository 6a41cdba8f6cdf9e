// What parts of an export cost, also at the end of a month.
import { get, type IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import type { components } from "../../../../src/generated/types.ts";
import { untilExportsEnd } from "../../../support/feeds/exports.ts";
import type { TestService } from "../../../support/service.ts";
import {
  ask,
  BROKERS,
  bytesOf,
  exportRowsOf,
  FORMATS,
  one,
  other,
  PLAN,
  pathOf,
  publish,
  ROWS,
  type Sent,
  take,
  useExportServices,
} from "./exported-bytes.ts";

useExportServices();

it("an export is told by HEAD for free: size, rows, checkpoint; the size of a Parquet file once it was made", async () => {
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
