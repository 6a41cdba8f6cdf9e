import { afterAll, beforeAll } from "vitest";
import type { Context } from "../../../src/platform/context.ts";
import { createTestKey } from "../../../src/testmode/test-keys.ts";
import { findTestMode } from "../../../src/testmode/test-mode.ts";
import { type SeededService, startSeededService } from "../../contract/prism/seeded-service.ts";
import { callerOf } from "../../support/accounts.ts";

export let service: SeededService;
export let test: Context;
/** The customer's live key and test key, and the test key of another account. */
export let live: string;
export let key: string;
export let foreign: string;
export let accountId: number;

const keyFor = async (owner: string) =>
  (await createTestKey(service.context, (await callerOf(service.context, owner)).accountId, "test")).key;

export const send = async (
  method: string,
  path: string,
  sent: { key: string; body?: unknown; headers?: Record<string, string> },
) => {
  const answer = await fetch(service.url + path, {
    method,
    headers: { "X-API-Key": sent.key, "Content-Type": "application/json", ...sent.headers },
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
};
export const get = (path: string, by: string) => send("GET", path, { key: by });
export const make = (by: string, body: unknown = { type: "reinstated", usdot: "90000004" }) =>
  send("POST", "/v1/test/events", { key: by, body });
export const idOf = ({ text }: { text: string }): number => (JSON.parse(text) as { id: number }).id;

/** Numbers of the fixture registry, and of the seeded live one: whole, since a digest may hold any of them. */
export const FIXTURE = /\b9000\d{4}\b/;
export const SEEDED = /\b4[345]0\d{4}\b/;
const FEEDS = ["us_new_authority_weekly", "us_small_carriers_active", "us_brokers"];
export const READS = [
  "/v1/feeds",
  "/v1/sources",
  "/v1/usage",
  ...FEEDS.flatMap((feed) => [
    `/v1/feeds/${feed}/records`,
    `/v1/feeds/${feed}/export.csv`,
    `/v1/feeds/${feed}/export.ndjson`,
    `/v1/feeds/${feed}/versions`,
    `/v1/feeds/${feed}/count?by=state`,
    `/v1/feeds/${feed}/changes?since_version=1`,
  ]),
  "/v1/carriers?name=lines",
  "/v1/carriers?name=carrier",
  "/v1/events?since=2026-01-01T00:00:00Z",
  "/v1/events/corrections",
  "/v1/watchlists",
  "/v1/carrier-changes",
  "/v1/webhooks",
];

/** Gives the tests of a file a seeded service with a live key, a test key of the same account, and one of another. */
export function useBothModes(): void {
  beforeAll(async () => {
    service = await startSeededService();
    live = service.keys.customer;
    ({ accountId } = await callerOf(service.context, live));
    key = await keyFor(live);
    foreign = await keyFor(service.keys.full_account);
    test = (await findTestMode(service.context)) as Context;
  }, 120_000);
  afterAll(() => service.stop());
}
