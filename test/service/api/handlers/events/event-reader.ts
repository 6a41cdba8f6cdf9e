import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { components } from "../../../../../src/generated/types.ts";
import { putEvents, setDetection } from "../../../../support/events/events.ts";
import { removeRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

export type EventsOut = components["schemas"]["EventsOut"];

export const ALL_FEEDS = {
  us_new_authority_weekly: null,
  us_small_carriers_active: null,
  us_revocation_pending: null,
  us_insurance_lapse_alerts: null,
  us_brokers: null,
};
const NOW = "2026-11-21T12:00:00Z";
const DETECTION = { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" };

export let service: TestService;
export let key: string;

export async function keyFor(
  feeds: Record<string, string[] | null>,
  rowsPerMonth = 1_000_000,
): Promise<string> {
  return (await service.createAccount({ feeds, rowsPerMonth, requestsPerMinute: 100_000 })).key;
}

export async function read(query = "", as = key): Promise<EventsOut> {
  const answer = await service.get(`/v1/events${query}`, as);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as EventsOut;
}

export const idsOf = ({ data }: EventsOut): number[] => data.map(({ id }) => id);
export const put = (...events: Parameters<typeof putEvents>[1]) => putEvents(service.context.db, events);

export async function faultsOf(query: string): Promise<unknown> {
  const answer = await service.get(`/v1/events${query}`, key);
  expect([query, answer.status]).toEqual([query, 422]);
  expect(answer.headers.get("content-type")).toBe("application/json");
  return ((await answer.json()) as { detail: { loc: unknown[] }[] }).detail.map(({ loc }) => loc.join(" "));
}

export async function problemOf(query: string, as = key): Promise<[number, string, string, string | null]> {
  const answer = await service.get(`/v1/events${query}`, as);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const { code, detail } = (await answer.json()) as components["schemas"]["Problem"];
  return [answer.status, code, detail, answer.headers.get("retry-after")];
}

/** A service whose events are anew for each test. */
export function useEventReader(): void {
  beforeAll(async () => {
    service = await startTestService();
    key = await keyFor(ALL_FEEDS);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    service.clock.set(NOW);
    await removeRows(service.context.db.pool, "event");
    await setDetection(service.context.db, DETECTION);
  });
}
