// The slots of running exports: those of a killed process become free, those of a running one stay taken.
import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { feedRecord, lengthenRows, publishFeed } from "../../../support/feeds/published-feed.ts";
import {
  type ServiceProcesses,
  startServiceProcesses,
} from "../../../support/processes/service-processes.ts";
import { changeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const BROKERS = "us_brokers";
const PATH = `/v1/feeds/${BROKERS}/export.csv`;
const ROWS = 2_000;

let service: TestService;
let others: ServiceProcesses;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  const { context, clock } = service;
  const version = await publishFeed(context.db, BROKERS, {
    records: Array.from({ length: ROWS }, (_, index) =>
      feedRecord(BROKERS, { dot_number: String(index + 1) }),
    ),
    asOf: "2026-11-20",
    now: clock.now(),
  });
  // Some 20 MB: more than all buffers between a service and a client hold.
  await lengthenRows(context.db.bulkPool, version, 80);
  const plan = { feeds: { [BROKERS]: null }, rowsPerMonth: 1_000_000, concurrentExports: 1 };
  ({ key } = await service.createAccount(plan));
  others = await startServiceProcesses(1, context.config.databaseUrl ?? "", clock.now().toISOString());
});
afterAll(async () => {
  await others.stop();
  await service.stop();
});

/** An export whose client reads only the headers. */
const openExport = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url + PATH, { headers: { "X-API-Key": key }, agent: false }, resolve).on("error", reject);
  });

async function codeOfExport(): Promise<string | number> {
  const answer = await service.get(PATH, key);
  if (answer.status === 200) return (await answer.text()).length > 0 ? 200 : 0;
  return ((await answer.json()) as { code: string }).code;
}

/** Moves the end of all leases back by so many seconds; returns the latest end. */
async function letPass(seconds: number): Promise<Date> {
  const { pool } = service.context.db;
  const { rows } = await pool.query<{ slot: number; until: Date }>(
    "SELECT slot, lease_until AS until FROM export_slot",
  );
  let latest = new Date(Number.NaN);
  for (const { slot, until } of rows) {
    latest = new Date(until.getTime() - seconds * 1_000);
    await changeRows(pool, "export_slot", { lease_until: latest }, { slot });
  }
  return latest;
}

it("is held as long as its process runs, and becomes free when that is killed", async () => {
  const running = await openExport(others.urls[0] ?? "");
  running.on("error", () => {});
  expect([running.statusCode, await codeOfExport()]).toEqual([200, "too_many_exports"]);
  const until = await letPass(20);
  const renewed = async () => {
    const { rowCount } = await service.context.db.pool.query(
      "SELECT FROM export_slot WHERE lease_until > $1",
      [until],
    );
    return rowCount === 1;
  };
  while (!(await renewed())) await new Promise((resolve) => setTimeout(resolve, 50));
  await others.kill(0);
  expect(await codeOfExport()).toBe("too_many_exports");
  await letPass(30);
  expect(await codeOfExport()).toBe(200);
  expect(await codeOfExport()).toBe(200);
});
