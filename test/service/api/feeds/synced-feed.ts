// A small feed of which each version is published by a test, and its customer.
import { expect } from "vitest";
import type { FeedCode } from "../../../../src/feeds/catalogue.ts";
import type { components } from "../../../../src/generated/types.ts";
import { type FeedRecord, feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { contentHash } from "../../../support/feeds/published-step.ts";
import type { TestService } from "../../../support/service.ts";

export type Changes = components["schemas"]["FeedChangesOut"];
export type Versions = components["schemas"]["FeedVersionsOut"];
export type Count = components["schemas"]["RecordCountOut"];

export const BROKERS = "us_brokers";

/** A record's id in the form of the contract: the same letter sixteen times. */
export const idOf = (letter: string): string => letter.repeat(16);

/** A broker of us_brokers whose id is made of the letter. Its USDOT number is that of the letter. */
export const broker = (letter: string, given: FeedRecord = {}): FeedRecord =>
  feedRecord(BROKERS, {
    record_id: idOf(letter),
    dot_number: String(usdotOf(letter)),
    company: `BROKER ${letter}`,
    state: "TX",
    city: "AUSTIN",
    ...given,
  });

export const usdotOf = (letter: string): number => 5_000_000 + letter.charCodeAt(0);

export const publish = (
  { context, clock }: TestService,
  records: readonly FeedRecord[],
  { feed = BROKERS, asOf = "2026-11-20" }: { feed?: FeedCode; asOf?: string } = {},
): Promise<number> => publishFeed(context.db, feed, { records, asOf, now: clock.now() });

/** The checkpoint of records, computed as the contract tells customers. */
export const checkpointOf = (version: number, records: readonly FeedRecord[]) => ({
  version,
  rows: records.length,
  digest: BigInt.asUintN(
    64,
    records.reduce((sum, record) => sum + contentHash(record), 0n),
  )
    .toString(16)
    .padStart(16, "0"),
  removals: expect.any(Number),
});

/** GET, whose answer must be 200. */
export async function read<Body>(service: TestService, path: string, key: string): Promise<Body> {
  const answer = await service.get(`/v1/feeds/${path}`, key);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}

/** The rows that a key's account has used this month. */
export async function rowsUsed(service: TestService, key: string): Promise<number> {
  const usage = (await (await service.get("/v1/usage", key)).json()) as components["schemas"]["UsageOut"];
  return usage.usage.quota_rows;
}

/** The problem's code, or the location of the first fault, and the status. */
export async function refusalOf(service: TestService, path: string, key: string): Promise<[number, string]> {
  const answer = await service.get(`/v1/feeds/${path}`, key);
  const body = (await answer.json()) as { code?: string; detail: unknown };
  const [fault] = Array.isArray(body.detail) ? (body.detail as { loc: string[] }[]) : [];
  return [answer.status, body.code ?? fault?.loc.join(" ") ?? ""];
}
