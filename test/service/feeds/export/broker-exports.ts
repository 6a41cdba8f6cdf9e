import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { type ExportAnswer, type ExportOptions, exportFeed } from "../../../../src/feeds/export/export.ts";
import { type FeedsFixture, filters, openFeedsFixture } from "../../../support/feeds/feeds-fixture.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";

export const BROKERS = "us_brokers";
export const COUNT = 3_000;

export let fixture: FeedsFixture;

export const publish = (count = COUNT, company = "ACME"): Promise<number> =>
  publishFeed(fixture.context.db, BROKERS, {
    records: Array.from({ length: count }, (_, index) =>
      feedRecord(BROKERS, {
        company: `${company} ${index + 1}`,
        dot_number: String(index + 1),
        state: index % 3 === 0 ? "TX" : "CA",
        street: "x".repeat(index % 97),
      }),
    ),
    asOf: "2026-11-20",
    now: fixture.clock.now(),
  });

type Asked = ExportOptions & {
  sent?: Record<string, string>;
  ifNoneMatch?: string;
  context?: FeedsFixture["context"];
};

export const ask = ({ sent, ifNoneMatch, context = fixture.context, ...options }: Asked, caller: Caller) =>
  exportFeed(
    context,
    caller,
    BROKERS,
    { filters: filters(sent), ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }) },
    options,
  );

export const bodyOf = (answer: ExportAnswer) => {
  if (answer.status !== 200) throw new Error("not an export");
  return answer.body;
};

export const textOf = async (answer: ExportAnswer): Promise<string> =>
  Buffer.concat(await bodyOf(answer).toArray()).toString();

export const national = (rowsPerMonth = 1_000_000): Promise<Caller> =>
  fixture.caller({ feeds: { [BROKERS]: null }, rowsPerMonth });

export const cacheFiles = async (): Promise<string[]> =>
  (await readdir(path.join(fixture.context.config.dataDir, "cache"), { recursive: true })).filter((name) =>
    /us_.*(?<!\.lengths)$/.test(name),
  );

export const cachedFile = async (): Promise<string> => {
  const [name = ""] = await cacheFiles();
  return path.join(fixture.context.config.dataDir, "cache", name);
};

export const problem = (code: string, detail: RegExp = /./) =>
  expect.objectContaining({ name: "ProblemError", code, message: expect.stringMatching(detail) });

/** Gives each test a feed service of its own. */
export function useBrokers(): void {
  beforeEach(async () => {
    fixture = await openFeedsFixture();
  });
  afterEach(() => fixture.close());
}
