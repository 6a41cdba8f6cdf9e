import { createHash } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll } from "vitest";
import type { components } from "../../../../src/generated/types.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

export const BROKERS = "us_brokers";
export const ROWS = 4_000;
export const FORMATS = ["csv", "ndjson", "parquet"] as const;

export let services: TestService[];

export const publish = (
  { context, clock }: TestService,
  asOf = "2026-11-20",
  street = "MAIN STREET",
): Promise<number> =>
  publishFeed(context.db, BROKERS, {
    records: Array.from({ length: ROWS }, (_, index) =>
      feedRecord(BROKERS, {
        company: `COMPANY ${(index * 7_919) % 65_537} é`,
        dot_number: String(index + 1),
        state: index % 2 === 0 ? "TX" : "CA",
        street: `${(index * 104_729) % 9_973} ${street}`,
      }),
    ),
    asOf,
    now: clock.now(),
  });

export const one = (): TestService => services[0] as TestService;
export const other = (): TestService => services[1] as TestService;

export const PLAN = {
  feeds: { [BROKERS]: null },
  requestsPerMinute: 1_000_000,
  rowsPerMonth: ROWS,
  concurrentExports: 50,
};

export const pathOf = (format: string, query = "") => `/v1/feeds/${BROKERS}/export.${format}${query}`;

export type Sent = Record<string, string>;

export const ask = (service: TestService, path: string, key: string, sent: Sent = {}): Promise<Response> =>
  service.get(path, key, { "Accept-Encoding": "identity", ...sent });

export const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Reads at most so many bytes of an answer, then disconnects. */
export async function take(
  service: TestService,
  path: string,
  sent: Sent,
  most: number,
): Promise<IncomingMessage & { taken: Buffer }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      service.url + path,
      { headers: { "Accept-Encoding": "identity", ...sent }, agent: false },
      resolve,
    ).on("error", reject);
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, most - size));
    size += chunk.length;
    if (size >= most) break;
  }
  answer.destroy();
  return Object.assign(answer, { taken: Buffer.concat(chunks) });
}

export async function exportRowsOf(key: string): Promise<number> {
  const answer = await one().get("/v1/usage", key);
  return ((await answer.json()) as components["schemas"]["UsageOut"]).usage.export_rows;
}

/** Two services on one database, with a feed to export. */
export function useExportServices(): void {
  beforeAll(async () => {
    const first = await startTestService();
    await publish(first);
    // Without a file of the first: each service has a DATA_DIR of its own.
    const databaseUrl = first.context.config.databaseUrl ?? "";
    services = [first, await startTestService({ databaseUrl, clock: first.clock })];
  });
  afterAll(async () => {
    for (const service of services.reverse()) await service.stop();
  });
}
