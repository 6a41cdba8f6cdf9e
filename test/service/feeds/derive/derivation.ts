import { afterAll, beforeAll } from "vitest";
import type { Context } from "../../../../src/platform/context.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import {
  type FeedDerivation,
  type FeedRecord,
  feedDerivation,
} from "../../../support/registry/derived-feeds.ts";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";

export const AS_OF = "2026-11-20";
export const INSURANCE_SUSPENSION =
  "Involuntary Suspension - insurance cancellation effective; no active insurance meeting minimum coverage on file";

let database: TestDatabase;
export let context: Context;
let derivation: FeedDerivation;

export const derive = (rows: Rows, origin: Partial<Parameters<FeedDerivation["derive"]>[1]> = {}) =>
  derivation.derive(rows, { asOf: AS_OF, ...origin });

/** The records of each feed if the registry had these rows. Companies share contacts, so registries with some stay apart. */
export const feedsOf = (rows: Rows, asOf = AS_OF) => {
  const hasContacts = rows.some(([, row]) => ["phone", "cell_phone", "email"].some((name) => name in row));
  return hasContacts ? derive(rows, { asOf }) : derivation.deriveTogether(rows, asOf);
};

/** A company with an active authority in Motus and a census row. */
export const company = (usdot: number, census: Row = {}, authority: Row = {}): Rows => [
  ["census", { usdot, ...census }],
  ["motus_carrier", { usdot, docket: `MC${usdot}`, ...authority }],
];

export const grant = (usdot: number, changedOn: string): Rows => [
  ["motus_authhist", { usdot, docket: `MC${usdot}`, changed_on: changedOn }],
];

export const dotNumbers = (records: FeedRecord[] | undefined) => records?.map((record) => record.dot_number);

/** Gives the tests of a file a database in which feeds are derived. */
export function useDerivation(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    context = await openTestContext(database.url, settableClock(`${AS_OF}T12:00:00Z`));
    derivation = feedDerivation(context);
  });
  afterAll(async () => {
    await context.db.close();
    await database.drop();
  });
}
