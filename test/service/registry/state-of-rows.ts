import { afterAll, beforeAll } from "vitest";
import type { Context } from "../../../src/platform/context.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import type { RegistryRow as Row } from "../../support/registry/registry-rows.ts";
import { authoritiesOf, derived } from "./derived-authorities.ts";

let database: TestDatabase;
export let context: Context;

/** Gives the tests of a file a registry of their own. */
export function useRegistry(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    context = await openTestContext(database.url, settableClock("2026-11-20T12:00:00Z"));
  });

  afterAll(async () => {
    await context.db.close();
    await database.drop();
  });
}

export type Rows = [table: string, row: Row][];

export const stateOf = async (...rows: Rows) =>
  (await authoritiesOf(context, rows)).map(({ docket, usdot, status }) => [docket, usdot, status]);
export const grantedOn = async (...rows: Rows) =>
  (await authoritiesOf(context, rows)).map(({ granted_on: day }) => day);
export const pendingOf = async (...rows: Rows) =>
  (
    await derived<{ docket: string; usdot: number; authority_class: string }>(
      context,
      rows,
      "SELECT docket, usdot, authority_class FROM pending_revocation ORDER BY docket, usdot, authority_class",
    )
  ).map((row) => [row.docket, row.usdot, row.authority_class]);

export const SUSPENDED = {
  changed_on: "2026-11-18",
  status: "inactive",
  reason: "Involuntary Suspension - insurance cancellation effective",
};
export const LEGACY: Rows[number] = ["legacy_carrier", { common_stat: "A", property: true }];
export const DOCKETLESS = "DOT1001";
export const OF_PROPERTY = "Broker of Property (Except Household Goods)";
export const OF_HOUSEHOLD = "Broker of Household Goods";
export const broker = (type: string, row: Row = {}): Row => ({
  authority_class: "broker",
  op_auth_type: type,
  ...row,
});
