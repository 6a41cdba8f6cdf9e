import { afterAll, beforeAll, beforeEach } from "vitest";
import { callerOfAccount } from "../../../../src/accounts/keys/caller.ts";
import { startWatchMail, WATCH_MAIL_COMPOSERS } from "../../../../src/carriers/watch-mail.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { addCarriers } from "../../../../src/watchlists/watched-carriers.ts";
import { createList } from "../../../../src/watchlists/watchlists.ts";
import { openAccount } from "../../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { setDetection } from "../../../support/events/events.ts";
import { putChange } from "../../../support/registry/recorded-changes.ts";
import { emptyTables, putRows } from "../../../support/rows.ts";

const PLAN = { feeds: { us_brokers: ["TX"] }, rowsPerMonth: 1_000 };
export const DAYS = ["2026-11-16", "2026-11-17", "2026-11-18"] as const;

export let database: TestDatabase;
export let context: Context;
export let clock: SettableClock;
let changeId: number;
export let accountId: number;

/** An account that watches carriers of two states, of which its plan has both at first. */
export async function watchingAccount(plan = PLAN): Promise<number> {
  const account = await openAccount(context, { ...plan, feeds: { us_brokers: ["OH", "TX"] } });
  const caller = await callerOfAccount(context, account.accountId);
  const { id: watchlistId } = await createList(context, account.accountId, { name: "Insured" });
  await addCarriers(context, { caller, watchlistId }, { usdots: ["101", "102", "103"] });
  return account.accountId;
}

/** The import of a day is done. */
export async function importDay(day: string): Promise<void> {
  clock.set(`${day}T12:00:00Z`);
  await setDetection(context.db, { finishedAt: `${day}T11:20:06Z`, asOf: day });
}

export function nextChangeId(): number {
  changeId += 1;
  return changeId;
}

export async function change(
  usdot: number,
  changed: { field?: string; before?: unknown; after?: unknown } = {},
) {
  const { field = "phone", before = "5125550142", after = "5125550177" } = changed;
  const category = field.endsWith("phone") ? "contact" : "fleet";
  const seenAt = clock.now().toISOString();
  await putChange(context, { id: nextChangeId(), usdot, category, field, before, after, seenAt });
}

/** The queued mails, with the text that they would be sent with now; null for none. */
export async function mails() {
  const queued = await context.db.prisma.mailOutbox.findMany({
    where: { purpose: "carrier_changes" },
    orderBy: { id: "asc" },
  });
  const compose = WATCH_MAIL_COMPOSERS.carrier_changes;
  return Promise.all(
    queued.map(async ({ recipient, body }) => ({ recipient, ...(await compose?.(context, body ?? "")) })),
  );
}

/** A database of one test file, with an account for each test that is mailed the changes of what it watches. */
export function useWatchMail(): void {
  beforeAll(async () => {
    changeId = 0;
    database = await createTestDatabase();
    clock = settableClock("2026-11-16T12:00:00Z");
    context = await openTestContext(database.url, clock);
    const carrier = (usdot: number, state: string) => ({
      usdot,
      docket: `MC${usdot}`,
      registry_state: state,
      registry_name: `CARRIER ${usdot}`,
    });
    await putRows(context.db.pool, "authority", carrier(101, "TX"), carrier(102, "TX"), carrier(103, "OH"));
  });
  afterAll(async () => {
    await context.db.close();
    await database.drop();
  });
  beforeEach(async () => {
    await emptyTables(context.db.pool, "watch_mail", "mail_outbox");
    await importDay(DAYS[0]);
    accountId = await watchingAccount();
    await startWatchMail(context, accountId);
  });
}
