// Answers with an error, by day and key, as the dashboard's charts show them.
import { afterAll, beforeAll, expect, it } from "vitest";
import { revokeKey } from "../../../src/accounts/keys/keys.ts";
import { usageByDay } from "../../../src/accounts/usage/usage.ts";
import { handlers } from "../../../src/generated/handlers.ts";
import { postMessage, toolCall } from "../../support/mcp.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    handlers: {
      ...handlers,
      listWebhooks: async () => {
        throw new Error("broken on purpose");
      },
    },
  });
});
afterAll(() => service.stop());

const counted = async (accountId: number, days = 1) =>
  (await usageByDay(service.context, accountId, days)).map(({ day, keyId, requests, errors, refused }) => ({
    ...(days > 1 && { day }),
    keyId,
    requests,
    errors,
    refused,
  }));

/** The statuses of the answers, one request after the other. */
async function statuses(key: string | undefined, ...paths: string[]): Promise<number[]> {
  const found: number[] = [];
  for (const path of paths) found.push((await service.get(path, key)).status);
  return found;
}

it("counts what the contract, the plan, the account's data and the program itself refuse, and nothing else", async () => {
  const { accountId, key, keyId } = await service.createAccount();
  const paths = [
    "/v1/usage",
    "/v1/usage?x=1",
    "/v1/feeds/us_brokers/records",
    "/v1/carriers/77",
    "/v1/webhooks",
  ];
  expect(await statuses(key, ...paths)).toEqual([200, 422, 403, 404, 500]);
  expect(await counted(accountId)).toEqual([{ keyId, requests: 5, errors: 4, refused: 0 }]);
});

it("counts requests that the rate limit or an unknown address refused beside the requests", async () => {
  const { accountId, key, keyId } = await service.createAccount({ requestsPerMinute: 3 });
  expect(await statuses(key, "/v1/nowhere", "/v1/usage", "/v1/usage", "/v1/usage", "/v1/usage?x=1")).toEqual([
    404, 200, 200, 429, 429,
  ]);
  expect((await service.send("DELETE", "/v1/usage", { key })).status).toBe(429);
  expect(await counted(accountId)).toEqual([{ keyId, requests: 2, errors: 0, refused: 4 }]);
});

it("counts tool calls that failed, although their answers are 200", async () => {
  const { accountId, key, keyId } = await service.createAccount({ requestsPerMinute: 3 });
  for (const [name, args] of [
    ["list_feeds", {}],
    ["look_up_carrier", { dot: "77" }],
    ["look_up_carrier", { dot: "x" }],
    ["list_feeds", {}],
  ] as const) {
    expect((await postMessage(service, toolCall(name, args), { key })).status).toBe(200);
  }
  expect(await counted(accountId)).toEqual([{ keyId, requests: 3, errors: 2, refused: 1 }]);
});

it("counts a plan without API access as an error", async () => {
  const { accountId, key, keyId } = await service.createAccount({ apiAccess: false });
  expect(await statuses(key, "/v1/usage")).toEqual([403]);
  expect(await counted(accountId)).toEqual([{ keyId, requests: 1, errors: 1, refused: 0 }]);
});

it("counts for nobody what has no key, an unknown one or a revoked one", async () => {
  const { accountId, key } = await service.createAccount();
  const { id, key: revoked } = await service.createKey(accountId);
  await revokeKey(service.context, id);
  const wrong = key.slice(0, -1) + (key.endsWith("A") ? "B" : "A");
  for (const each of [undefined, "nonsense", wrong, revoked]) {
    expect(await statuses(each, "/v1/usage", "/v1/nowhere")).toEqual([401, 404]);
  }
  expect(await counted(accountId)).toEqual([]);
});

it("keeps keys, days and accounts apart", async () => {
  service.clock.set("2026-11-21T23:59:59Z");
  const first = await service.createAccount();
  const other = await service.createAccount();
  const second = await service.createKey(first.accountId);
  await statuses(first.key, "/v1/usage?x=1");
  service.clock.set("2026-11-22T00:00:00Z");
  await statuses(first.key, "/v1/usage?x=1", "/v1/usage?x=1");
  await statuses(second.key, "/v1/usage", "/v1/carriers/x");
  expect(await counted(first.accountId, 2)).toEqual([
    { day: "2026-11-21", keyId: first.keyId, requests: 1, errors: 1, refused: 0 },
    ...[
      { day: "2026-11-22", keyId: first.keyId, requests: 2, errors: 2, refused: 0 },
      { day: "2026-11-22", keyId: second.id, requests: 2, errors: 1, refused: 0 },
    ].sort((one, other) => (one.keyId < other.keyId ? -1 : 1)),
  ]);
  expect(await counted(other.accountId, 2)).toEqual([]);
});
