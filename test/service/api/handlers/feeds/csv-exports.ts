import { afterAll, beforeAll } from "vitest";
import { type FeedCode, feedOf } from "../../../../../src/feeds/catalogue.ts";
import type { components } from "../../../../../src/generated/types.ts";
import { AMPLE, startServiceOfEveryFeed } from "../../../../support/feeds/every-feed.ts";
import { csvCell, type FeedRecord } from "../../../../support/feeds/published-feed.ts";
import type { TestService } from "../../../../support/service.ts";

export const NEW = "us_new_authority_weekly";
export const SMALL = "us_small_carriers_active";
export const BROKERS = "us_brokers";

export let service: TestService;
export let key: string;
export let licence: string;

export const ask = (feed: string, query = "", sender = key, headers: Record<string, string> = {}) =>
  service.get(`/v1/feeds/${feed}/export.csv?${query}`, sender, { "Accept-Encoding": "identity", ...headers });

export async function csvOf(feed: string, query = "", sender = key): Promise<string> {
  const answer = await ask(feed, query, sender);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.text();
}

const columnsOf = (feed: FeedCode): string[] => feedOf(feed)?.columns.map(({ name }) => name) ?? [];

/** The expected export of these records, written without the code under test. */
export const csvText = (feed: FeedCode, records: readonly FeedRecord[], reference = licence): string => {
  const lines = records.map((record) => columnsOf(feed).map((name) => csvCell(record[name] ?? null)));
  return [columnsOf(feed).concat("licence_ref"), ...lines.map((cells) => cells.concat(reference))]
    .map((cells) => `${cells.join(",")}\r\n`)
    .join("");
};

export async function usageOf(sender: string): Promise<components["schemas"]["UsageOut"]["usage"]> {
  const answer = await service.get("/v1/usage", sender);
  return ((await answer.json()) as components["schemas"]["UsageOut"]).usage;
}

/** The body of a raw answer in chunks, joined. It must end with the closing chunk. */
export function unchunked(answer: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = answer.indexOf("\r\n\r\n") + 4;
  for (;;) {
    const end = answer.indexOf("\r\n", at);
    const size = Number.parseInt(answer.subarray(at, end).toString(), 16);
    if (size === 0) return Buffer.concat(parts);
    if (Number.isNaN(size)) throw new Error("The answer does not end with its closing chunk.");
    parts.push(answer.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

/** A service of every feed, and a key for all of them. */
export function useCsvExports(): void {
  beforeAll(async () => {
    service = await startServiceOfEveryFeed();
    ({ key, licenceRef: licence } = await service.createAccount(AMPLE));
  });
  afterAll(() => service.stop());
}
