import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { createClient } from "../src/index.ts";
import { customerOf, numbersFrom, publishBrokers } from "./brokers.ts";
import { startRawServer } from "./raw-server.ts";

const DOTS = numbersFrom(4_400_000, 25);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await publishBrokers(service, DOTS);
});
afterAll(() => service.stop());

describe("an export", () => {
  it("streams the feed's rows that match the filters", async () => {
    const tdf = await customerOf(service);
    const { body, fileName, licenceReference } = await tdf.exportCsv("us_brokers", { state: ["TX"] });
    const lines = (await text(body)).split("\r\n");
    expect(lines).toHaveLength(13 + 2);
    expect(lines[0]).toMatch(/^company,dba_name,dot_number,.*,licence_ref$/);
    expect(lines[1]).toMatch(new RegExp(`^BROKER 4400000 LLC,,4400000,.*,${licenceReference}$`));
    expect(licenceReference).toMatch(/^LIC-/);
    expect(fileName).toBe("us_brokers_2026-11-20.csv");
  });

  it("that is refused fails before any byte", async () => {
    const tdf = await customerOf(service, { feeds: {} });
    await expect(tdf.exportCsv("us_brokers")).rejects.toMatchObject({ code: "not_entitled", status: 403 });
  });
});

/** A server that sends the begin of an export. */
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
  it("by the network fails, so that no half of a feed passes for a whole one", async () => {
    const { url, answering, close } = await startExport();
    const { body } = await createClient({ apiKey: "any", baseUrl: url, timeoutMs: 20 }).exportCsv(
      "us_brokers",
    );
    const reader = body.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("company,licence_ref\r\n");
    (await answering).destroy();
    await expect(reader.read()).rejects.toMatchObject({
      name: "TruckingDataFeedError",
      code: "connection_failed",
    });
    await close();
  });

  it("by the signal fails with its reason and frees the connection", async () => {
    const { url, answering, close } = await startExport();
    const stop = new AbortController();
    const { body } = await createClient({ apiKey: "any", baseUrl: url }).exportCsv(
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
    const { body } = await createClient({ apiKey: "any", baseUrl: url }).exportCsv("us_brokers");
    const left = once(await answering, "close");
    for await (const chunk of body) if (chunk.length > 0) break;
    await left;
    await close();
  });
});
