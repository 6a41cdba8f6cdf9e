import { afterAll, beforeAll } from "vitest";
import type { Admission } from "../../../src/accounts/keys/admission.ts";
import { keyText } from "../../../src/accounts/keys/key-format.ts";
import type { Context } from "../../../src/platform/context.ts";
import { type SettableClock, settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase } from "../../support/database.ts";

export const NOW = "2026-11-21T10:30:15Z";
export const MINUTE_ENDS = Date.parse("2026-11-21T10:31:00Z") / 1000;

export let database: Awaited<ReturnType<typeof createTestDatabase>>;
export let context: Context;
export let clock: SettableClock;

export const outcomes = (admissions: Admission[]) =>
  Object.fromEntries(
    [...Map.groupBy(admissions, ({ outcome }) => outcome)].map(([outcome, all]) => [outcome, all.length]),
  );

export const times = <T>(count: number, one: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, one));

/** A well-formed key with the same identifier and another secret, as somebody who knows the form would guess. */
export function withAnotherSecret(key: string): string {
  const id = key.slice(9, 17);
  return keyText(id, key.slice(18, 48) === "0".repeat(30) ? "1".repeat(30) : "0".repeat(30));
}

/** A database and a clock of one test file. */
export function useKeys(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    clock = settableClock(NOW);
    context = await openTestContext(database.url, clock);
  });
  afterAll(async () => {
    await context.db.close();
    await database.drop();
  });
}
