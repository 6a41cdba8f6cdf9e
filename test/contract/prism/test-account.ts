// What the contract's cases need beside a test key, made with that key alone: keys of every kind, an endpoint with a
// delivery, watchlists. Other accounts, plans and stale data are situations that a request of test mode asks for.
import { setTimeout } from "node:timers/promises";
import { parseKey } from "../../../src/accounts/keys/key-format.ts";
import { scopes } from "../../../src/generated/scopes.ts";
import type { TestSituation } from "../../../src/platform/test-situation.ts";
import type { ContractCase, Sender } from "../cases/contract-cases.ts";
import { USED_KEY } from "../cases/idempotency.ts";
import { keysFrom } from "./deployment.ts";
import type { TargetFacts } from "./send-case.ts";

/** Carrier 16 of the fixture registry: in a feed, and connected with another one. */
const DOT = "90000016";
const DOCKET = "MC9000016";

/** The situation that stands for a sender with an account of its own. */
const SITUATIONS: Partial<Record<Sender, TestSituation>> = {
  plan_without_api: "no_api_access",
  plan_of_brokers_in_texas: "brokers_in_texas",
  plan_without_watching: "no_watching",
  spent_minute: "minute_used_up",
  spent_quota: "no_rows",
  full_account: "limits_reached",
};

/** The situation of a case: that of its sender, or of the data that it needs. */
function situationOf({ sender = "customer", code }: ContractCase): TestSituation | undefined {
  if (code === "stale_source") return "stale_data";
  if (code === "feed_not_live") return "feeds_not_live";
  return SITUATIONS[sender];
}

type TestAccountFacts = Omit<TargetFacts, "versionOf" | "removalsOf" | "eventType" | "cursor">;

export interface TestAccount {
  facts: TestAccountFacts;
  /** Removes what was made for the cases and by them. */
  clear(): Promise<void>;
}

interface Sent {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

type Send = <Body>(method: string, path: string, sent?: Sent) => Promise<Body>;

/** Makes all of it with a test key that has every scope. */
export async function openTestAccount(baseUrl: string, key: string): Promise<TestAccount> {
  const send = senderTo(baseUrl, key);
  const before = await ownIds(send);
  const keys = await makeKeys(send, key);
  const { endpoint, delivery } = await makeDelivery(send);
  const { id: testedEndpoint } = await register(send);
  // The cases send this key with other requests. It is known for a day, so an earlier run may have used it.
  await send("POST", `/v1/webhooks/${testedEndpoint}/test`, { headers: { "Idempotency-Key": USED_KEY } });
  const event = await send<{ data: { id: number }[] }>(
    "GET",
    "/v1/events?since=2026-01-01T00:00:00Z&limit=1",
  );
  const watchlists: Partial<Record<Sender, number>> & { customer: number } = {
    customer: await makeList(send),
    spent_quota: await makeList(send, SITUATIONS.spent_quota),
    plan_without_watching: await makeList(send, SITUATIONS.plan_without_watching),
  };
  const { endedKey, ownKey, writer, situated, ...known } = keys;
  return {
    facts: {
      keyOf: (sender, one) => {
        if (sender in known) return known[sender as keyof typeof known];
        // Removal requests take no key, and with a test key they change nothing.
        if (sender === "nobody") return one?.operation === "requestRemoval" ? key : undefined;
        if (SITUATIONS[sender] !== undefined) return situated;
        // Each key has a minute of its own.
        return one?.method === undefined ? key : writer;
      },
      headersOf: (one) => {
        const situation = situationOf(one);
        return situation === undefined ? {} : { "X-Test-Situation": situation };
      },
      dot: DOT,
      staleDot: DOT,
      staleDocket: DOCKET,
      event: event.data[0]?.id ?? 0,
      endpoint,
      delivery,
      testedEndpoint,
      watchlistOf: (sender) => watchlists[sender] ?? watchlists.customer,
      ownKey,
      endedKey,
    },
    clear: async () => {
      for (const sender of ["spent_quota", "plan_without_watching"] as const)
        await send("DELETE", `/v1/watchlists/${watchlists[sender]}`, under(SITUATIONS[sender]));
      const after = await ownIds(send);
      for (const path of after.filter((each) => !before.includes(each))) await send("DELETE", path);
    },
  };
}

function senderTo(baseUrl: string, key: string): Send {
  const send: Send = async <Body>(method: string, path: string, sent: Sent = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { "X-API-Key": sent.key ?? key, "Content-Type": "application/json", ...sent.headers },
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
      signal: AbortSignal.timeout(15_000),
    });
    const text = await response.text();
    const { code } = text.startsWith("{") ? (JSON.parse(text) as { code?: string }) : {};
    if (response.status === 429) {
      await setTimeout(Number(response.headers.get("Retry-After")) * 1000);
      return send<Body>(method, path, sent);
    }
    if (!response.ok && code !== "idempotency_conflict")
      throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as Body;
  };
  return send;
}

/** The addresses of what the account has, by which it is deleted. */
async function ownIds(send: Send): Promise<string[]> {
  const { data: endpoints } = await send<{ data: { id: number }[] }>("GET", "/v1/webhooks");
  const { data: lists } = await send<{ data: { id: number }[] }>("GET", "/v1/watchlists");
  const { data: keys } = await send<{ data: { id: string; state: string }[] }>("GET", "/v1/keys?limit=1000");
  return [
    ...endpoints.map(({ id }) => `/v1/webhooks/${id}?permanent=true`),
    ...lists.map(({ id }) => `/v1/watchlists/${id}`),
    ...keys.flatMap(({ id, state }) => (state === "revoked" ? [] : [`/v1/keys/${id}`])),
  ];
}

interface Made {
  id: string;
  key: string;
}

async function makeKeys(send: Send, key: string) {
  const make = (terms: object) =>
    send<Made>("POST", "/v1/keys", { body: { name: "Contract cases", ...terms } });
  const everything = { scopes: Object.keys(scopes) };
  const revoked = await make({});
  await send("DELETE", `/v1/keys/${revoked.id}`);
  const replaced = await make({});
  await send("POST", `/v1/keys/${replaced.id}/rotate`, { body: { grace_seconds: 0 } });
  const { malformed_key = "", wrong_key = "" } = keysFrom(key);
  return {
    malformed_key,
    wrong_key,
    revoked_key: revoked.key,
    expired_key: replaced.key,
    usage_key: (await make({ scopes: ["usage:read"] })).key,
    feeds_key: (await make({ scopes: ["feeds:read"] })).key,
    narrow_manager: (await make({ scopes: ["keys:write"] })).key,
    key_of_another_network: (await make({ allowed_networks: ["192.0.2.0/24"] })).key,
    tester: key,
    endedKey: parseKey(revoked.key)?.id ?? "",
    ownKey: (await make({})).id,
    writer: (await make(everything)).key,
    situated: (await make(everything)).key,
  };
}

const register = (send: Send): Promise<{ id: number }> =>
  send("POST", "/v1/webhooks", {
    body: { url: "https://hooks.example.com/trucking", event_types: ["reinstated"] },
  });

const DELIVERED_WITHIN_SECONDS = 60;

/** An endpoint, and the delivery of a test event to it. */
async function makeDelivery(send: Send): Promise<{ endpoint: number; delivery: number }> {
  const { id: endpoint } = await register(send);
  await send("POST", "/v1/test/events", { body: { type: "reinstated", usdot: DOT } });
  for (let waited = 0; waited < DELIVERED_WITHIN_SECONDS * 2; waited++) {
    const { data } = await send<{ data: { delivery_id: number }[] }>(
      "GET",
      `/v1/webhooks/${endpoint}/deliveries`,
    );
    if (data[0] !== undefined) return { endpoint, delivery: data[0].delivery_id };
    await setTimeout(500);
  }
  throw new Error("The test event was not delivered: does a dispatcher run there?");
}

const under = (situation: TestSituation | undefined): Sent =>
  situation === undefined ? {} : { headers: { "X-Test-Situation": situation } };

async function makeList(send: Send, situation?: TestSituation): Promise<number> {
  const { id } = await send<{ id: number }>("POST", "/v1/watchlists", {
    ...under(situation),
    body: { name: "Contract cases" },
  });
  return id;
}
