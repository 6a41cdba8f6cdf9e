import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parquetRecords } from "../../../test/support/feeds/parquet-records.ts";
import { removeBusinesses } from "../../../test/support/removals/removals.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { type ClientOptions, createClient, digestOf, type ExportFormat } from "../src/index.ts";
import { AMPLE, allOf, customerOf, numbersFrom, publishBrokers } from "./brokers.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { startRawServer } from "./raw-server.ts";

const DOTS = numbersFrom(4_400_000, 25);
const FORMATS = ["csv", "ndjson", "parquet"] as const satisfies readonly ExportFormat[];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await publishBrokers(service, DOTS);
});
afterAll(() => service.stop());

describe("an export", () => {
  it("streams the feed's rows that match the filters, as CSV unless told otherwise", async () => {
    const tdf = await customerOf(service);
    const { body, fileName, licenceReference } = await tdf.openExport("us_brokers", { state: ["TX"] });
    const lines = (await text(body)).split("\r\n");
    expect(lines).toHaveLength(13 + 2);
    expect(lines[0]).toMatch(/^company,dba_name,dot_number,.*,licence_ref$/);
    expect(lines[1]).toMatch(new RegExp(`^BROKER 4400000 LLC,,4400000,.*,${licenceReference}$`));
    expect(licenceReference).toMatch(/^LIC-/);
    expect(fileName).toBe("us_brokers_2026-11-20.csv");
  });

  it("as NDJSON gives the records that the pages have, and the checkpoint of these rows", async () => {
    const tdf = await customerOf(service);
    const { records, checkpoint, fileName } = await tdf.openExport("us_brokers", {}, { format: "ndjson" });
    const exported = await allOf(records());
    expect(exported).toEqual(await allOf(tdf.records("us_brokers")));
    const feed = (await tdf.feeds()).find(({ code }) => code === "us_brokers");
    const columns = feed?.columns.filter((name) => !feed.volatile_columns?.includes(name)) ?? [];
    expect(checkpoint).toMatchObject({ rows: 25, digest: digestOf(exported, columns) });
    expect(fileName).toBe("us_brokers_2026-11-20.ndjson");
    // They have arrived: a second reading would find none.
    expect(records).toThrow("The records of an export can be read once. Open the export again.");
  });

  it("as Parquet has the same rows, and costs nothing more", async () => {
    const tdf = await customerOf(service);
    for (const format of FORMATS) await buffer((await tdf.openExport("us_brokers", {}, { format })).body);
    const { body, fileName } = await tdf.openExport("us_brokers", {}, { format: "parquet" });
    const rows = await parquetRecords(await buffer(body));
    expect(rows.map(({ dot_number }) => Number(dot_number))).toEqual(DOTS);
    expect(fileName).toBe("us_brokers_2026-11-20.parquet");
    expect((await tdf.usage()).usage.quota_rows).toBe(25);
  });

  it("that is refused fails before any byte", async () => {
    const tdf = await customerOf(service, { feeds: {} });
    await expect(tdf.openExport("us_brokers")).rejects.toMatchObject({ code: "not_entitled", status: 403 });
  });
});

describe("an export whose connection breaks", () => {
  /** An export through a proxy; `happens` goes on during the wait after a break. */
  const overProxy = async (
    format: ExportFormat,
    cuts: readonly number[],
    happens: () => unknown = () => {},
    options: Partial<ClientOptions> = {},
  ) => {
    const proxy = await startCuttingProxy(service.url, cuts);
    const { key } = await service.createAccount(AMPLE);
    const sleep = async () => void (await happens());
    const client = { apiKey: key, sleep, ...options };
    const tdf = createClient({ ...client, baseUrl: proxy.url });
    const { body } = await tdf.openExport("us_brokers", {}, { format });
    const received = await buffer(body).finally(() => proxy.close());
    return { received, ranges: proxy.ranges, direct: createClient({ ...client, baseUrl: service.url }) };
  };

  it.each(FORMATS)("goes on at the byte where it ended, and costs its rows once: %s", async (format) => {
    const { received, ranges, direct } = await overProxy(format, [1000, 0, 1, 700]);
    const { body } = await direct.openExport("us_brokers", {}, { format });
    const whole = await buffer(body);
    expect(whole.length).toBeGreaterThan(1701);
    expect(received.equals(whole)).toBe(true);
    const positions = [1000, 1000, 1001, 1701].map((from) => `bytes=${from}-`);
    expect(ranges).toEqual([null, ...positions]);
    expect((await direct.usage()).usage.quota_rows).toBe(25);
  });

  it("behind its last byte is whole", async () => {
    const { received } = await overProxy("ndjson", [1_000_000]);
    expect(received.toString().trim().split("\n")).toHaveLength(25);
  });

  it("stays that of its version when a newer one is published meanwhile", async () => {
    const { received } = await overProxy("ndjson", [1000], async () => {
      await publishBrokers(service, DOTS.slice(0, 5), "2026-11-20");
    });
    expect(received.toString().trim().split("\n")).toHaveLength(25);
    await publishBrokers(service, DOTS);
  });

  it("fails after maxRetries, and at once when retries are off", async () => {
    const never = overProxy("csv", [1000, 0, 0, 0, 0, 0]);
    await expect(never).rejects.toMatchObject({ code: "connection_failed" });
    const once = overProxy("csv", [1000], () => {}, { maxRetries: 0 });
    await expect(once).rejects.toMatchObject({ code: "connection_failed" });
  });

  it("fails when a business was removed meanwhile, so that no mixture passes for a whole feed", async () => {
    for (const [index, format] of FORMATS.entries()) {
      const remove = () => removeBusinesses(service.context.db, [DOTS[20 + index] ?? 0], service.clock.now());
      await expect(overProxy(format, [1000], remove)).rejects.toMatchObject({
        code: "export_changed",
        status: 412,
      });
    }
  });
});

/** A server that sends the begin of an export, which nothing can continue: it has no tag. */
async function startExport(): Promise<{
  url: string;
  answering: Promise<ServerResponse>;
  close(): Promise<void>;
}> {
  const answering = Promise.withResolvers<ServerResponse>();
  const server = await startRawServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/csv" });
    response.write("company,licence_ref\r\n");
    answering.resolve(response);
  });
  return { ...server, answering: answering.promise };
}

describe("an export that is cut off", () => {
  it("by the network fails when it can't go on, so that no half of a feed passes for a whole one", async () => {
    const { url, answering, close } = await startExport();
    const { body } = await createClient({ apiKey: "any", baseUrl: url }).openExport("us_brokers");
    const reader = body.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("company,licence_ref\r\n");
    (await answering).destroy();
    await expect(reader.read()).rejects.toMatchObject({
      name: "TruckingDataFeedError",
      code: "connection_failed",
    });
    await close();
  });

  it("by something that ignores Range fails", async () => {
    const server = await startRawServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/csv", etag: '"a"' });
      response.write("company\r\n", () => setImmediate(() => response.destroy()));
    });
    const tdf = createClient({ apiKey: "any", baseUrl: server.url, sleep: async () => {} });
    await expect(text((await tdf.openExport("us_brokers")).body)).rejects.toMatchObject({
      code: "unexpected_answer",
      detail: expect.stringContaining("after 9 bytes"),
    });
    await server.close();
  });

  it("by the signal fails with its reason and frees the connection", async () => {
    const { url, answering, close } = await startExport();
    const stop = new AbortController();
    const { body } = await createClient({ apiKey: "any", baseUrl: url }).openExport(
      "us_brokers",
      {},
      { signal: stop.signal },
    );
    const left = once(await answering, "close");
    stop.abort(new Error("stopped"));
    await expect(text(body)).rejects.toThrow("stopped");
    await left;
    await close();
  });

  it("by its reader frees the connection", async () => {
    const { url, answering, close } = await startExport();
    const { body } = await createClient({ apiKey: "any", baseUrl: url }).openExport("us_brokers");
    const left = once(await answering, "close");
    for await (const chunk of body) if (chunk.length > 0) break;
    await left;
    await close();
  });
});
