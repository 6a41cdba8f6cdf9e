// An answer that is finished is garbage at once, so that V8's collections of young objects find little to keep.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { publishBrokers } from "../../../support/feeds/published-feed.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const PROGRAM = path.join(import.meta.dirname, "../../../support/processes/answering-process.ts");
// Now and then V8 decides at the start of a process to make some kinds of objects old ones at once.
const FLAGS = ["--expose-gc", "--no-allocation-site-pretenuring"];
/** A request with its answer takes 4,000 to 10,000. Those that are under way when young objects are collected come to 200 to 600. */
const MOST_BYTES = 1_200;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  await publishBrokers(service);
  const plan = { requestsPerMinute: 1_000_000, rowsPerMonth: 1_000_000_000, feeds: { us_brokers: null } };
  ({ key } = await service.createAccount(plan));
});
afterAll(() => service.stop());

it.each([
  ["the usage of an account", "/v1/usage"],
  ["a page that was asked for before", "/v1/feeds/us_brokers/records?page_size=2"],
])("%s is not kept after it was sent", async (_what, asked) => {
  const words = [PROGRAM, service.context.config.databaseUrl ?? "", key, asked];
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, ...words]);
  expect(Number(stdout)).toBeLessThan(MOST_BYTES);
});
