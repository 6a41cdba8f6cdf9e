import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import { createGunzip } from "node:zlib";
import { afterAll, beforeAll } from "vitest";
import type { Bounds } from "../../../../src/api/server.ts";
import type { components } from "../../../../src/generated/types.ts";
import { feedRecord, lengthenRows, publishFeed } from "../../../support/feeds/published-feed.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { until } from "../../../support/webhooks/dispatching.ts";

export const BROKERS = "us_brokers";
export const ROWS = 20_000;
export const PATH = `/v1/feeds/${BROKERS}/export.csv`;

export let service: TestService;

export const newAccount = (rowsPerMonth = 1_000_000) =>
  service.createAccount({ feeds: { [BROKERS]: null }, requestsPerMinute: 1_000_000, rowsPerMonth });

export async function exportRowsOf(key: string): Promise<number> {
  const answer = await service.get("/v1/usage", key);
  return ((await answer.json()) as components["schemas"]["UsageOut"]).usage.export_rows;
}

/** An export whose client reads only the headers until told otherwise. */
export function openExport(
  key: string,
  query = "",
  encoding = "identity",
  { url } = service,
): Promise<IncomingMessage> {
  const headers = { "X-API-Key": key, "Accept-Encoding": encoding };
  return new Promise((resolve, reject) => {
    get(`${url}${PATH}${query}`, { headers, agent: false }, resolve).on("error", reject);
  });
}

/** A service of another process on the same database. */
export const another = (bounds: Bounds = {}): Promise<TestService> =>
  startTestService({ databaseUrl: service.context.config.databaseUrl ?? "", clock: service.clock, bounds });

export const rowsIn = (csv: string): number => csv.split("\r\n").length - 2;

/** Reads an answer to its end, in any encoding; rejects if it breaks off. */
export const read = (answer: IncomingMessage): Promise<string> => {
  if (answer.headers["content-encoding"] !== "gzip") return text(answer);
  const plain = createGunzip();
  answer.on("error", (error) => plain.destroy(error)).pipe(plain);
  return text(plain);
};

/** The activity of the service's sessions, and whether a connection is in use. */
async function databaseUse(): Promise<unknown> {
  const { bulkPool, pool } = service.context.db;
  const { rows } = await pool.query<{ query: string }>(
    `SELECT query FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'tdf' AND pid <> pg_backend_pid()
       AND state <> 'idle'`,
  );
  const lent = [pool, bulkPool].map(({ totalCount, idleCount }) => totalCount - idleCount);
  return { queries: rows.map(({ query }) => query), lent };
}
const NO_USE = { queries: [], lent: [0, 0] };
/** Request counts are written each second, so it may take a moment until nothing else is running. */
export const nothingUsesTheDatabase = () => until(async () => isDeepStrictEqual(await databaseUse(), NO_USE));

/** A service whose export is larger than all buffers on its way. */
export function useLargeExport(): void {
  beforeAll(async () => {
    service = await startTestService();
    const version = await publishFeed(service.context.db, BROKERS, {
      records: Array.from({ length: ROWS }, (_, index) =>
        feedRecord(BROKERS, { dot_number: String(index + 1), state: index % 2 === 0 ? "TX" : "CA" }),
      ),
      asOf: "2026-11-20",
      now: service.clock.now(),
    });
    // Some 22 MB, half of that compressed: far more than all buffers between the service and a client hold.
    await lengthenRows(service.context.db.bulkPool, version, 8);
  });
  afterAll(() => service.stop());
}
