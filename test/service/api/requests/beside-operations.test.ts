// Requests that match no operation: unknown paths, other methods, and browsers on pages of other sites.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settableClock } from "../../../support/clock.ts";
import { changeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: settableClock("2026-11-21T12:00:15Z") });
});
afterAll(() => service.stop());

const RATE = ["limit", "remaining", "reset"] as const;
const rateOf = ({ headers }: Response) => RATE.map((name) => headers.get(`x-ratelimit-${name}`));
const RESET = String(Date.parse("2026-11-21T12:01:00Z") / 1000);

const quotaOf = ({ headers }: Response) =>
  ["limit", "remaining", "reset", "cost"].map((name) => headers.get(`x-quota-${name}`));
const MONTH_ENDS = String(Date.parse("2026-12-01T00:00:00Z") / 1000);

const problemOf = async (answer: Response) =>
  (await answer.json()) as { code: string; status: number; detail: string };

describe("a request that matches no operation", () => {
  const misses = [
    ["GET", "/v1/no-such-path", 404, "not_found"],
    ["GET", "/v1/feeds/", 404, "not_found"],
    ["PUT", "/v1/feeds", 405, "method_not_allowed"],
    ["GET", "/v1/opt-out", 405, "method_not_allowed"],
    ["POST", "/docs", 405, "method_not_allowed"],
    ["GET", "/v1/carriers/%E0%A4%A", 400, "bad_request"],
  ] as const;

  it.each(misses)(
    "%s %s counts in the key's minute, with rate and quota headers",
    async (method, path, status, code) => {
      const { key } = await service.createAccount({ requestsPerMinute: 2 });
      const first = await service.send(method, path, { key });
      expect([first.status, (await problemOf(first)).code]).toEqual([status, code]);
      expect(rateOf(first)).toEqual(["2", "1", RESET]);
      expect(quotaOf(first)).toEqual(["1000", "1000", MONTH_ENDS, "0"]);
      expect(rateOf(await service.get("/v1/usage", key))).toEqual(["2", "0", RESET]);
      const refused = await service.send(method, path, { key });
      expect([refused.status, (await problemOf(refused)).code]).toEqual([429, "rate_limited"]);
      expect([rateOf(refused), refused.headers.get("retry-after")]).toEqual([["2", "0", RESET], "45"]);
      expect(refused.headers.get("allow")).toBe(null);
    },
  );

  it.each(misses)(
    "%s %s gives the same answer without a key, with a wrong one and a revoked one",
    async (...miss) => {
      const [method, path, status, code] = miss;
      const { accountId } = await service.createAccount();
      const { key: revoked, id } = await service.createKey(accountId);
      await changeRows(service.context.db.pool, "api_key", { revoked_at: new Date() }, { id });
      for (const key of [undefined, "tdf_live_nonsense", revoked]) {
        const answer = await service.send(method, path, { key });
        expect([answer.status, (await problemOf(answer)).code]).toEqual([status, code]);
        expect(rateOf(answer)).toEqual([null, null, null]);
        expect(quotaOf(answer)).toEqual([null, null, null, null]);
      }
    },
  );

  it.each([
    "/v1/feeds",
    "/v1/feeds/us_brokers/records",
    "/v1/feeds/us_brokers/export.csv",
    "/v1/carriers/4312907",
    "/v1/webhooks/17/test",
    "/v1/opt-out",
    "/openapi.json",
    "/docs",
  ])("with a slash at the end is answered with the path %s", async (path) => {
    const { key } = await service.createAccount();
    for (const method of ["GET", "POST"]) {
      const answer = await service.send(method, `${path}/?state=TX`, { key });
      const { code, detail } = await problemOf(answer);
      expect([answer.status, code]).toEqual([404, "not_found"]);
      expect(detail).toBe(`There is nothing at ${path}/. Leave out the slash at the end: ${path}.`);
    }
  });

  it.each(["/v1/nothing/", "/v1/feeds/us_brokers/", "/v1/feeds//", "//"])(
    "does not suggest a path for %s",
    async (path) => {
      const { detail } = await problemOf(await service.send("GET", path));
      expect(detail).toBe("There is nothing at this path.");
    },
  );
});

it("a missing, wrong or revoked key is answered with how to authenticate", async () => {
  const { accountId, key } = await service.createAccount();
  const { key: revoked, id } = await service.createKey(accountId);
  await changeRows(service.context.db.pool, "api_key", { revoked_at: new Date() }, { id });
  for (const wrong of [undefined, "tdf_live_nonsense", revoked]) {
    const answer = await service.get("/v1/feeds", wrong);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe(
      'ApiKey realm="Trucking Data Feed API", header="X-API-Key"',
    );
  }
  expect((await service.get("/v1/feeds", key)).headers.get("www-authenticate")).toBe(null);
});

describe("a browser on a page of another site", () => {
  const ORIGIN = { Origin: "https://privacy.example" };
  const corsOf = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));

  it("may send a removal request, and read its answer and its problems", async () => {
    const preflight = await service.send("OPTIONS", "/v1/opt-out", {
      headers: {
        ...ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-request-id",
      },
    });
    expect([preflight.status, await preflight.text()]).toEqual([204, ""]);
    expect(corsOf(preflight)).toEqual({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "Content-Type, X-Request-Id",
      "access-control-max-age": "7200",
    });
    const read = {
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "Retry-After, X-Request-Id",
    };
    for (const [body, status] of [
      [{ usdot: "4312907" }, 202],
      [{}, 400],
      [{ colour: "red" }, 422],
    ] as const) {
      const answer = await service.send("POST", "/v1/opt-out", { headers: ORIGIN, body });
      expect([answer.status, corsOf(answer)]).toEqual([status, read]);
    }
    const text = await service.send("POST", "/v1/opt-out", {
      headers: { ...ORIGIN, "Content-Type": "text/plain" },
    });
    expect([text.status, corsOf(text)]).toEqual([422, read]);
  });

  it.each(["/openapi.json", "/openapi.yaml"])("may read %s", async (path) => {
    const answer = await service.get(path, undefined, ORIGIN);
    expect(answer.status).toBe(200);
    expect(corsOf(answer)["access-control-allow-origin"]).toBe("*");
    const preflight = await service.send("OPTIONS", path, { headers: ORIGIN });
    expect([preflight.status, corsOf(preflight)["access-control-allow-methods"]]).toEqual([204, "GET, HEAD"]);
  });

  it.each(["/v1/feeds", "/v1/webhooks", "/docs", "/remove"])("may not read %s", async (path) => {
    const { key } = await service.createAccount();
    for (const method of ["GET", "OPTIONS"]) {
      const answer = await service.send(method, path, { key, headers: ORIGIN });
      expect(corsOf(answer)).toEqual({});
      if (method === "OPTIONS") expect(answer.status).toBe(405);
    }
  });
});
