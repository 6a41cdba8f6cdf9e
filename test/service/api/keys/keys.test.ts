import { afterAll, beforeAll, expect, it } from "vitest";
import { revokeKey } from "../../../../src/accounts/keys/keys.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const rateOf = (answer: Response) =>
  ["limit", "remaining", "reset"].map((name) => answer.headers.get(`x-ratelimit-${name}`));

const lastChanged = (key: string): string => key.slice(0, -1) + (key.endsWith("A") ? "B" : "A");

it("answers 401 invalid_api_key, without rate headers, to a missing, malformed, unknown or repeated key", async () => {
  const { key } = await service.createAccount();
  const sent: (Record<string, string> | [string, string][])[] = [
    {},
    { "X-API-Key": "" },
    { "X-API-Key": "nonsense" },
    { "X-API-Key": lastChanged(key) },
    { "X-API-Key": `${key} ${key}` },
    { Authorization: `Bearer ${key}` },
    [
      ["X-API-Key", key],
      ["X-API-Key", key],
    ],
  ];
  for (const headers of sent) {
    const answer = await fetch(`${service.url}/v1/usage`, { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({
      code: "invalid_api_key",
      title: "Invalid API key",
      status: 401,
    });
    expect(rateOf(answer)).toEqual([null, null, null]);
  }
});

it("answers 401 revoked_api_key to a revoked key, from the next request on", async () => {
  const { accountId, key } = await service.createAccount();
  const other = await service.createKey(accountId);
  expect((await service.get("/v1/usage", other.key)).status).toBe(200);
  await revokeKey(service.context, other.id);
  const answer = await service.get("/v1/usage", other.key);
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: "revoked_api_key" });
  expect((await service.get("/v1/usage", key)).status).toBe(200);
});

it("counts down in the rate headers, refuses with Retry-After, and starts again with the next minute", async () => {
  service.clock.set("2026-11-21T12:00:15Z");
  const { key } = await service.createAccount({ requestsPerMinute: 2 });
  const reset = String(Date.parse("2026-11-21T12:01:00Z") / 1000);
  expect(rateOf(await service.get("/v1/usage", key))).toEqual(["2", "1", reset]);
  expect(rateOf(await service.get("/v1/usage?x=1", key))).toEqual(["2", "0", reset]);
  const refused = await service.get("/v1/usage", key);
  expect(refused.status).toBe(429);
  expect(rateOf(refused)).toEqual(["2", "0", reset]);
  expect(refused.headers.get("retry-after")).toBe("45");
  expect(await refused.json()).toMatchObject({ code: "rate_limited" });
  service.clock.advance(45_000);
  expect((await service.get("/v1/usage", key)).status).toBe(200);
});

it("counts a request that passed key and rate limit, even if the contract refuses it", async () => {
  const { key } = await service.createAccount({ requestsPerMinute: 3 });
  for (const path of ["/v1/usage?x=1", "/v1/carriers/x"]) await service.get(path, key);
  const answer = await service.get("/v1/usage", key);
  await service.get("/v1/usage", key);
  expect(((await answer.json()) as { usage: { api_requests: number } }).usage.api_requests).toBe(3);
});

it("answers 403 plan_has_no_api_access after the rate limit and before the contract", async () => {
  const { key } = await service.createAccount({ apiAccess: false, requestsPerMinute: 2 });
  const answers = [];
  for (let turn = 0; turn < 3; turn++) answers.push(await service.get("/v1/usage?x=1", key));
  expect(answers.map((answer) => answer.status)).toEqual([403, 403, 429]);
  expect(answers.map((answer) => rateOf(answer)[1])).toEqual(["1", "0", "0"]);
  expect(await answers[0]?.json()).toMatchObject({ code: "plan_has_no_api_access" });
});

it("checks the route before the key", async () => {
  expect((await service.get("/v1/nowhere")).status).toBe(404);
  expect((await fetch(`${service.url}/v1/usage`, { method: "POST" })).status).toBe(405);
});
