// Ids of one account are unknown to another account. This covers every route with such an id, every method and every
// kind of id; a route of the contract that is missing here fails.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_SCOPES } from "../../../../src/accounts/keys/grant.ts";
import { operationTable } from "../../../../src/generated/operations.ts";
import { createList } from "../../../../src/watchlists/watchlists.ts";
import { enableEndpoint } from "../../../../src/webhooks/endpoints/enable.ts";
import { pauseByCustomer } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { putEvents } from "../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { deliveriesOf, putDelivery } from "../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

/** Parameters that name something that is the same for everybody. */
const PUBLIC_PARAMETERS = ["code", "dot", "event_id"];

/** Each route with an id, and the owner's answers by method. */
const ROUTES: Record<string, Record<string, number>> = {
  "/v1/webhooks/{endpoint_id}": { GET: 200, PATCH: 200, DELETE: 204 },
  "/v1/webhooks/{endpoint_id}/deliveries": { GET: 200 },
  "/v1/webhooks/{endpoint_id}/deliveries/{delivery_id}": { GET: 200 },
  "/v1/webhooks/{endpoint_id}/deliveries/{delivery_id}/resend": { POST: 202 },
  "/v1/webhooks/{endpoint_id}/replay": { POST: 200 },
  "/v1/webhooks/{endpoint_id}/test": { POST: 202 },
  "/v1/webhooks/{endpoint_id}/rotate": { POST: 200 },
  "/v1/watchlists/{watchlist_id}": { GET: 200, PATCH: 200, DELETE: 204 },
  "/v1/watchlists/{watchlist_id}/carriers": { GET: 200, POST: 200, PUT: 200 },
  "/v1/watchlists/{watchlist_id}/carriers/remove": { POST: 200 },
  "/v1/keys/{key_id}": { DELETE: 204 },
  "/v1/keys/{key_id}/rotate": { POST: 200 },
};
const NUMBERS = { usdots: ["1"] };
const BODIES: Record<string, unknown> = {
  "PATCH /v1/watchlists/{watchlist_id}": { description: "Ours" },
  "POST /v1/watchlists/{watchlist_id}/carriers": NUMBERS,
  "PUT /v1/watchlists/{watchlist_id}/carriers": { usdots: [] },
  "POST /v1/watchlists/{watchlist_id}/carriers/remove": NUMBERS,
  "PATCH /v1/webhooks/{endpoint_id}": { description: "Ours" },
  "POST /v1/webhooks/{endpoint_id}/replay": { from: "2026-11-01T00:00:00Z", to: "2026-11-02T00:00:00Z" },
};
/** Nothing is sent to a paused endpoint: the owner's answer is 409. */
const SENDING = /\/(resend|replay)$/;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const CASES = Object.entries(ROUTES).flatMap(([route, statuses]) =>
  METHODS.map((method) => [method, route, statuses[method === "HEAD" ? "GET" : method] ?? 405] as const),
);

let service: TestService;
let accountId: number;
/** An active endpoint, a paused one, and both of another account. */
let own: number;
let ownPaused: number;
let foreign: number;
let foreignPaused: number;
let foreignBefore: unknown;
/** A delivery of each endpoint. */
const deliveries = new Map<number, number>();
/** A watchlist of the account of each endpoint. */
const lists = new Map<number, number>();
/** A key of the account of each endpoint. */
const keys = new Map<number, string>();

beforeAll(async () => {
  service = await startTestService();
  ({ accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } }));
  const { accountId: other } = await service.createAccount();
  const register = async (owner: number) => (await registerEndpoint(service.context, owner)).id;
  [own, ownPaused] = [await register(accountId), await register(accountId)];
  [foreign, foreignPaused] = [await register(other), await register(other)];
  await pauseByCustomer(service.context, accountId, ownPaused);
  await pauseByCustomer(service.context, other, foreignPaused);
  const [eventId = 0] = await putEvents(service.context.db, [{}]);
  for (const endpointId of [own, ownPaused, foreign, foreignPaused]) {
    const given = { endpointId, eventId, status: "failed" };
    deliveries.set(endpointId, await putDelivery(service.context, given));
  }
  for (const id of [foreign, foreignPaused]) {
    lists.set(id, await openList(other));
    keys.set(id, (await service.createKey(other)).id);
  }
  foreignBefore = await stateOfForeign();
});
afterAll(() => service.stop());

const openList = async (owner: number): Promise<number> =>
  (await createList(service.context, owner, { name: "Clients" })).id;

const stateOfForeign = async () => [
  await service.context.db.prisma.webhookEndpoint.findMany({
    where: { id: { in: [foreign, foreignPaused] } },
    orderBy: { id: "asc" },
  }),
  await deliveriesOf(service.context, foreign),
  await deliveriesOf(service.context, foreignPaused),
  await service.context.db.prisma.watchlist.findMany({ where: { account: { id: { not: accountId } } } }),
  await service.context.db.prisma.apiKey.findMany({
    where: { accountId: { not: accountId } },
    omit: { lastUsedAt: true },
  }),
];

/** An answer without its request id, sent with a new key, so that the key's minute is the same each time. */
async function answerTo(method: string, route: string, id: number, deliveryId = deliveries.get(id)) {
  const { key } = await service.createKey(accountId, { scopes: ALL_SCOPES });
  const path = route
    .replace("{endpoint_id}", String(id))
    .replace("{watchlist_id}", String(lists.get(id) ?? id))
    .replace(
      "{key_id}",
      keys.get(id) ?? (id > 0 && id < 2 ** 53 ? String(id % 1e8).padStart(8, "0") : String(id)),
    )
    .replace("{delivery_id}", String(deliveryId ?? deliveries.get(own)));
  const answer = await service.send(method, path, { key, body: BODIES[`${method} ${route}`] });
  const headers = [...answer.headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return { status: answer.status, headers, body: await answer.text() };
}

describe("an id of another account", () => {
  it.each(CASES)("gives the same answer as an unknown id: %s %s", async (method, route, success) => {
    await enableEndpoint(service.context, { accountId, endpointId: own });
    // The case before may have deleted them.
    if (method === "GET") for (const id of [own, ownPaused]) lists.set(id, await openList(accountId));
    for (const id of [own, ownPaused]) keys.set(id, (await service.createKey(accountId)).id);
    expect((await answerTo(method, route, own)).status).toBe(success);
    const paused = success !== 405 && SENDING.test(route) ? 409 : success;
    expect((await answerTo(method, route, ownPaused)).status).toBe(paused);
    if (route.includes("{delivery_id}")) {
      const missing = await answerTo(method, route, own, 1_000_000);
      for (const id of [foreign, ownPaused]) {
        expect(await answerTo(method, route, own, deliveries.get(id))).toEqual(missing);
      }
    }
    const missing = await answerTo(method, route, 1_000_000);
    expect(missing.status).toBe(success === 405 ? 405 : 404);
    for (const id of [foreign, foreignPaused, 2 ** 31, 2 ** 53 - 1]) {
      expect(await answerTo(method, route, id)).toEqual(missing);
    }
    for (const id of [0, -1, 2 ** 53]) {
      expect((await answerTo(method, route, id)).status).toBe(success === 405 ? 405 : 422);
    }
  });

  it("changes nothing in the other account", async () => {
    expect(await stateOfForeign()).toEqual(foreignBefore);
  });

  it("is tried on every route with an id", () => {
    const declared = Object.values(operationTable)
      .filter(({ parameters }) =>
        parameters.some(({ in: location, name }) => location === "path" && !PUBLIC_PARAMETERS.includes(name)),
      )
      .map(({ method, path }) => `${method} ${path}`);
    const tried = Object.entries(ROUTES).flatMap(([route, statuses]) =>
      Object.keys(statuses).map((method) => `${method} ${route}`),
    );
    expect(tried.sort()).toEqual(declared.sort());
  });
});
