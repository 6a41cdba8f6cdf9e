import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Explanation, explainCarrier } from "../../../../src/carriers/explain/explain.ts";
import type { FeedCode } from "../../../../src/feeds/catalogue.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { publishRegistry, type RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { emptyTables } from "../../../support/rows.ts";

const AS_OF = "2026-11-20";

let database: TestDatabase;
export let context: Context;

/** Publishes a registry of these rows and explains USDOT number 1001. */
export async function explained(...rows: Rows): Promise<Explanation> {
  await publish(rows);
  return explainCarrier(context, 1001);
}

export async function publish(rows: Rows): Promise<void> {
  await context.db.bulkTransaction((client) =>
    publishRegistry(client, rows, { asOf: AS_OF, now: context.clock.now() }),
  );
}

export const company = (census: Row = {}, authority: Row = {}): Rows => [
  ["census", { usdot: 1001, ...census }],
  ["motus_carrier", { usdot: 1001, docket: "MC123", ...authority }],
];
export const history = (row: Row): Rows[number] => [
  "motus_authhist",
  { usdot: 1001, docket: "MC123", changed_on: "2026-11-15", ...row },
];

export const verdict = ({ feeds }: Explanation, code: FeedCode) => {
  const found = feeds.find(({ feed }) => feed === code);
  expect(found?.is_served).toBe(found?.is_in);
  return { is_in: found?.is_in, because: found?.because };
};

/** A database of one test file, whose registry is empty before each of its tests. */
export function useExplanations(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    context = await openTestContext(database.url, settableClock(`${AS_OF}T12:00:00Z`));
  });
  afterAll(async () => {
    await context.db.close();
    await database.drop();
  });
  beforeEach(async () => {
    await emptyTables(
      context.db.pool,
      "census",
      "authority",
      "motus_carrier",
      "motus_authhist",
      "motus_insur",
      "motus_inshist",
      "motus_revokesuspend",
      "legacy_carrier",
      "legacy_authhist",
      "pending_revocation",
      "shared_contact",
      "agent_contact",
    );
  });
}
