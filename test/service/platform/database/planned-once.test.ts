// The statements of hot paths are planned once per connection: the server takes the kept plan, and does not plan again for each
// value. See docs/typed-sql.md.
import { afterAll, beforeAll, expect, it } from "vitest";
import { updateSharedValues } from "../../../../src/carriers/connections/shared-values.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const FEED = "us_brokers";
/** After its fifth run the server decides whether it keeps a statement's plan. */
const RUNS = 12;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ poolSizes: { requests: 2, bulk: 2 } });
  await publishFeed(service.context.db, FEED, {
    records: Array.from({ length: 50 }, (_, at) => feedRecord(FEED, { dot_number: String(7_654_300 + at) })),
    asOf: "2026-11-20",
    now: service.clock.now(),
  });
  await updateSharedValues(service.context);
});
afterAll(() => service.stop());

/** How often each named statement ran by the kept plan, and by one for its values, over the connections for requests. */
async function plansTaken() {
  const { pool } = service.context.db;
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const taken = await Promise.all(
    clients.map((client) =>
      client.query<{ name: string; kept: number; own: number }>(
        "SELECT name, generic_plans::int AS kept, custom_plans::int AS own FROM pg_prepared_statements",
      ),
    ),
  );
  for (const client of clients) client.release();
  return taken.flatMap(({ rows }) => rows);
}

it("by requests for a page, a company, its connections and usage", async () => {
  const { key } = await service.createAccount({ feeds: { [FEED]: null }, requestsPerMinute: 10_000 });
  const asked = (at: number) => [
    `/v1/feeds/${FEED}/records?page_size=${at}`,
    `/v1/carriers/${7_654_300 + at}`,
    `/v1/carriers/${7_654_300 + at}/connections`,
    "/v1/usage",
  ];
  // The census does not know these companies: their connections are asked for, and the answer is 404.
  for (let at = 1; at <= RUNS; at++) {
    for (const path of asked(at)) expect([200, 404], path).toContain((await service.get(path, key)).status);
  }
  const taken = await plansTaken();
  const names = new Set(taken.map(({ name }) => name.replace(/\d+/, "…")));
  expect(names).toContain("accounts/keys/admissionOfKnown");
  expect(names).toContain("accounts/usage/usageReports");
  expect(names).toContain("carriers/connections/linksAndDay");
  expect(names).toContain("events/newestOfBusinesses");
  expect(names).toContain("business in …");
  const plannedAgain = taken.filter(({ kept, own }) => own > 5 && kept === 0);
  expect(plannedAgain).toEqual([]);
});
