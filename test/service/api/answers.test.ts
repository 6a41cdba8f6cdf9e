import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../../src/generated/operations.ts";
import { key, next, rateHeadersOf, service, useFaultyService } from "./faulty-service.ts";

useFaultyService();

describe("an answer", () => {
  const csv = (body: Readable): Answer<"exportFeed"> => ({
    status: 200,
    headers: {
      ETag: '"7-a"',
      "Accept-Ranges": "bytes",
      "Content-Disposition": "attachment",
      "X-Licence-Reference": "LIC-1",
      "X-Row-Count": "1",
      "X-Checkpoint-Version": "7",
      "X-Checkpoint-Removals": "0",
      "X-As-Of": "2026-11-20",
      "X-Verified-On-Motus": "2026-11-20",
      "X-Verified-On-Legacy": "2026-05-14",
    },
    body,
  });
  const EXPORT = "/v1/feeds/x/export.csv";

  it("of CSV is sent as it is, or compressed on request", async () => {
    next.exportFeed = async () => csv(Readable.from([Buffer.from("a\r\n"), Buffer.from("1\r\n")]));
    const plain = await service.get(EXPORT, key, { "Accept-Encoding": "identity" });
    expect(plain.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(plain.headers.get("etag")).toBe('"7-a"');
    expect(plain.headers.get("cache-control")).toBe("private, no-cache");
    expect(await plain.text()).toBe("a\r\n1\r\n");
    const compressed = await service.get(EXPORT, key, { "Accept-Encoding": "gzip" });
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    expect(compressed.headers.get("etag")).toBe('W/"7-a"');
    expect(await compressed.text()).toBe("a\r\n1\r\n");
  });

  it("of CSV that breaks is a broken connection, not a shorter file", async () => {
    next.exportFeed = async () =>
      csv(
        Readable.from(
          (async function* () {
            yield Buffer.from("a\r\n");
            await wait(10);
            throw new Error("disk");
          })(),
        ),
      );
    const answer = await service.get(EXPORT, key, { "Accept-Encoding": "identity" });
    await expect(answer.text()).rejects.toThrow();
  });

  const endless = () =>
    new Readable({
      read() {
        this.push(Buffer.alloc(1024));
      },
    });

  const closeOf = (body: Readable) => {
    body.on("error", () => {});
    return new Promise((resolve) => body.on("close", resolve));
  };

  // `pipeline` does not destroy its source when its target is closed already: rows would stay charged.
  it("of CSV is destroyed when its client left before it began", async () => {
    const body = endless();
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    next.exportFeed = async () => {
      leaving.abort();
      await left;
      return csv(body);
    };
    const leaving = new AbortController();
    const closed = closeOf(body);
    service.server.once("request", (_request, response) => response.once("close", leave));
    const asked = fetch(service.url + EXPORT, { headers: { "X-API-Key": key }, signal: leaving.signal });
    await expect(asked).rejects.toThrow();
    await closed;
  });

  it("of CSV is destroyed when its client leaves in the middle", async () => {
    const body = endless();
    next.exportFeed = async () => csv(body);
    const closed = closeOf(body);
    const answer = await service.get(EXPORT, key);
    await answer.body?.cancel();
    await closed;
  });

  it("to HEAD destroys the CSV unread", async () => {
    const body = Readable.from([Buffer.from("a\r\n")]);
    next.exportFeed = async () => csv(body);
    const answer = await fetch(service.url + EXPORT, { method: "HEAD", headers: { "X-API-Key": key } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-licence-reference")).toBe("LIC-1");
    expect(body.destroyed).toBe(true);
  });

  it("of 304 has its tag and rate headers, and neither body nor type", async () => {
    next.readRecords = async ({ headers }) => ({
      status: 304,
      headers: { ETag: headers.ifNoneMatch ?? "" },
      body: null,
    });
    const answer = await service.get("/v1/feeds/x/records", key, { "If-None-Match": '"7-a"' });
    expect(answer.status).toBe(304);
    expect(answer.headers.get("etag")).toBe('W/"7-a"');
    expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(answer.headers.get("content-type")).toBeNull();
    expect(rateHeadersOf(answer)).toBe(3);
  });
});
