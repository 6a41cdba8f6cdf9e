import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../../src/generated/operations.ts";
import { problems } from "../../../src/generated/problems.ts";
import { type ProblemCode, ProblemError } from "../../../src/platform/http/problem.ts";
import { key, memory, next, rateHeadersOf, service, useFaultyService } from "./faulty-service.ts";

useFaultyService();

describe("a problem", () => {
  const codes = Object.keys(problems) as ProblemCode[];
  const ofTheFeeds = codes.filter((code) => [400, 403, 429, 500, 503].includes(problems[code].status));

  it.each(ofTheFeeds)(
    "%s is answered with the contract's status and title, and all three rate headers",
    async (code) => {
      next.readRecords = async () => {
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
    next.readRecords = async () => {
      throw new ProblemError("quota_exceeded", "No rows left.", { retryAfterSeconds: 864_000 });
    };
    expect((await service.get("/v1/feeds/x/records", key)).headers.get("retry-after")).toBe("864000");
  });

  it("that the operation does not declare is an internal error", async () => {
    next.listFeeds = async () => {
      throw new ProblemError("stale_source", "Not declared with 404.");
    };
    expect((await service.get("/v1/feeds", key)).status).toBe(503);
    next.listFeeds = async () => {
      throw new ProblemError("not_found", "Declared nowhere near here.");
    };
    expect(await (await service.get("/v1/feeds", key)).json()).toMatchObject({ code: "internal_error" });
  });
});

describe("an internal error", () => {
  const secret = "SELECT secret_hash FROM api_key -- 10.0.0.7";

  it("is answered with a fixed text and the request id, and logged once with its cause", async () => {
    next.listFeeds = async () => {
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
    next.listFeeds = async () => answer as unknown as Answer<"listFeeds">;
    expect((await service.get("/v1/feeds", key)).status).toBe(500);
  });

  it("is an answer without a header that the contract promises", async () => {
    next.readRecords = async () =>
      ({ status: 200, headers: {}, body: {} }) as unknown as Answer<"readRecords">;
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

describe("a disk of the service's own that is full or can't be used", () => {
  // An export writes its file under DATA_DIR. Space may be freed: a client that gets 500 would not try again.
  it.each(["ENOSPC", "EDQUOT"])("is 503 with Retry-After and one line without a stack (%s)", async (code) => {
    const message = `${code}: no space left on device, write`;
    next.exportFeed = async () => {
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
    next.exportFeed = async () => {
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
