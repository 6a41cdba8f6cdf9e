import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handlers } from "../../../src/generated/handlers.ts";
import type { Answer, Handlers } from "../../../src/generated/operations.ts";
import { problems } from "../../../src/generated/problems.ts";
import { type ProblemCode, ProblemError } from "../../../src/platform/http/problem.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { startTestService, type TestService } from "../../support/service.ts";

/** The handlers' next actions. */
let listFeeds: Handlers["listFeeds"] = handlers.listFeeds;
let readRecords: Handlers["readRecords"] = handlers.readRecords;
let exportFeed: Handlers["exportFeed"] = handlers.exportFeed;

const memory = memoryLog();
let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService({
    log: memory.log,
    handlers: {
      ...handlers,
      listFeeds: (input, context) => listFeeds(input, context),
      readRecords: (input, context) => readRecords(input, context),
      exportFeed: (input, context) => exportFeed(input, context),
    },
  });
  ({ key } = await service.createAccount({ requestsPerMinute: 100_000 }));
});
afterAll(() => service.stop());

const rateHeadersOf = (answer: Response): number =>
  ["limit", "remaining", "reset"].filter((name) => answer.headers.has(`x-ratelimit-${name}`)).length;

describe("a problem", () => {
  const codes = Object.keys(problems) as ProblemCode[];
  const ofTheFeeds = codes.filter((code) => [400, 403, 429, 500, 503].includes(problems[code].status));

  it.each(ofTheFeeds)(
    "%s is answered with the contract's status and title, and all three rate headers",
    async (code) => {
      readRecords = async () => {
        throw new ProblemError(code, `About ${code}.`);
      };
      const answer = await service.get("/v1/feeds/x/records", key);
      const { status, title } = problems[code];
      expect(answer.status).toBe(status);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(await answer.json()).toEqual({
        type: `${service.context.config.publicUrl}/problems/${code}`,
        title,
        status,
        detail: `About ${code}.`,
        code,
      });
      expect(rateHeadersOf(answer)).toBe(3);
      expect(answer.headers.has("retry-after")).toBe(status === 429 || status === 503);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    },
  );

  it("keeps the Retry-After of the error", async () => {
    readRecords = async () => {
      throw new ProblemError("quota_exceeded", "No rows left.", { retryAfterSeconds: 864_000 });
    };
    expect((await service.get("/v1/feeds/x/records", key)).headers.get("retry-after")).toBe("864000");
  });

  it("that the operation does not declare is an internal error", async () => {
    listFeeds = async () => {
      throw new ProblemError("stale_source", "Not declared with 404.");
    };
    expect((await service.get("/v1/feeds", key)).status).toBe(503);
    listFeeds = async () => {
      throw new ProblemError("not_found", "Declared nowhere near here.");
    };
    expect(await (await service.get("/v1/feeds", key)).json()).toMatchObject({ code: "internal_error" });
  });
});

describe("an internal error", () => {
  const secret = "SELECT secret_hash FROM api_key -- 10.0.0.7";

  it("is answered with a fixed text and the request id, and logged once with its cause", async () => {
    listFeeds = async () => {
      throw new Error(secret, { cause: new Error("deeper") });
    };
    const answer = await service.get("/v1/feeds", key, { "X-Request-Id": "fault-1" });
    expect(answer.status).toBe(500);
    expect(rateHeadersOf(answer)).toBe(3);
    expect(await answer.json()).toEqual({
      type: `${service.context.config.publicUrl}/problems/internal_error`,
      title: "Internal error",
      status: 500,
      detail: "The service failed. Try again; if it fails again, report the request id fault-1.",
      code: "internal_error",
    });
    const faults = memory.lines().filter((line) => line.requestId === "fault-1" && line.level === "error");
    expect(faults).toHaveLength(1);
    expect(JSON.stringify(faults)).toContain("secret_hash");
  });

  it.each([
    ["a status", { status: 204, body: null }],
    ["a header", { status: 200, headers: { "X-More": "1" }, body: { data: [] } }],
    ["nothing", undefined],
  ])("is an answer of %s that the contract does not declare", async (_what, answer) => {
    listFeeds = async () => answer as unknown as Answer<"listFeeds">;
    expect((await service.get("/v1/feeds", key)).status).toBe(500);
  });

  it("is an answer without a header that the contract promises", async () => {
    readRecords = async () => ({ status: 200, headers: {}, body: {} }) as unknown as Answer<"readRecords">;
    expect((await service.get("/v1/feeds/x/records", key)).status).toBe(500);
  });

  it("never writes a key to the log", async () => {
    for (const path of ["/v1/usage", "/v1/feeds", "/v1/feeds/x/records", `/v1/usage?x=${key}`, "/nowhere"]) {
      await service.get(path, key);
      await service.get(path, `${key}x`);
    }
    const [, , , secretPart = ""] = key.split("_");
    expect(memory.text()).not.toContain(secretPart);
    expect(memory.text()).toContain("Answered readUsage with 200.");
  });
});

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
    exportFeed = async () => csv(Readable.from([Buffer.from("a\r\n"), Buffer.from("1\r\n")]));
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
    exportFeed = async () =>
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
    exportFeed = async () => {
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
    exportFeed = async () => csv(body);
    const closed = closeOf(body);
    const answer = await service.get(EXPORT, key);
    await answer.body?.cancel();
    await closed;
  });

  it("to HEAD destroys the CSV unread", async () => {
    const body = Readable.from([Buffer.from("a\r\n")]);
    exportFeed = async () => csv(body);
    const answer = await fetch(service.url + EXPORT, { method: "HEAD", headers: { "X-API-Key": key } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-licence-reference")).toBe("LIC-1");
    expect(body.destroyed).toBe(true);
  });

  it("of 304 has its tag and rate headers, and neither body nor type", async () => {
    readRecords = async ({ headers }) => ({
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

describe("a disk of the service's own that is full or can't be used", () => {
  // An export writes its file under DATA_DIR. Space may be freed: a client that gets 500 would not try again.
  it.each(["ENOSPC", "EDQUOT"])("is 503 with Retry-After and one line without a stack (%s)", async (code) => {
    const message = `${code}: no space left on device, write`;
    exportFeed = async () => {
      throw Object.assign(new Error(message), { code });
    };
    const before = memory.lines().length;
    const answer = await service.get("/v1/feeds/x/export.csv", key);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await answer.json()).toMatchObject({ code: "unavailable" });
    const said = memory
      .lines()
      .slice(before)
      .filter(({ level }) => level === "error");
    expect(said).toMatchObject([{ msg: "The disk of DATA_DIR is full.", reason: message }]);
    expect(JSON.stringify(said)).not.toContain("stack");
  });

  // A volume of another user, or one that became read-only, was answered as a fault of the program.
  it("is answered in the same way when the folder can't be used for another reason", async () => {
    const { dataDir } = service.context.config;
    const inTheWay = path.join(dataDir, "in-the-way");
    await mkdir(dataDir, { recursive: true });
    await writeFile(inTheWay, "");
    exportFeed = async () => {
      throw await mkdir(path.join(inTheWay, "cache")).catch((error: unknown) => error);
    };
    const before = memory.lines().length;
    const answer = await service.get("/v1/feeds/x/export.csv", key);
    await rm(inTheWay);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    const said = memory
      .lines()
      .slice(before)
      .filter(({ level }) => level === "error");
    expect(said).toMatchObject([
      { msg: "A file of DATA_DIR can't be used.", reason: expect.stringMatching(/^ENOTDIR/) },
    ]);
  });
});
