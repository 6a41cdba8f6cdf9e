import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { callerOfAccount } from "../../../src/accounts/keys/caller.ts";
import { mailChanges, startWatchMail, WATCH_MAIL_COMPOSERS } from "../../../src/carriers/watch-mail.ts";
import type { Context } from "../../../src/platform/context.ts";
import { startMailer } from "../../../src/platform/mail/mailer.ts";
import { hasMail, stopMail } from "../../../src/watchlists/mail-state.ts";
import { addCarriers } from "../../../src/watchlists/watched-carriers.ts";
import { createList, endWatching } from "../../../src/watchlists/watchlists.ts";
import { openAccount } from "../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { setDetection } from "../../support/events/events.ts";
import { startMailServer } from "../../support/network/mail-server.ts";
import { mailInProcesses } from "../../support/processes/mailing-processes.ts";
import { putChange } from "../../support/registry/recorded-changes.ts";
import {
  blankContacts,
  removeBusinesses,
  unblankContacts,
  undoRemovals,
} from "../../support/removals/removals.ts";
import { changeRows, emptyTables, putRows } from "../../support/rows.ts";

const PLAN = { feeds: { us_brokers: ["TX"] }, rowsPerMonth: 1_000 };
const DAYS = ["2026-11-16", "2026-11-17", "2026-11-18"] as const;

let database: TestDatabase;
let context: Context;
let clock: SettableClock;
let changeId = 0;
let accountId: number;

beforeAll(async () => {
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

/** An account that watches carriers of two states, of which its plan has both at first. */
async function watchingAccount(plan = PLAN): Promise<number> {
  const account = await openAccount(context, { ...plan, feeds: { us_brokers: ["OH", "TX"] } });
  const caller = await callerOfAccount(context, account.accountId);
  const { id: watchlistId } = await createList(context, account.accountId, { name: "Insured" });
  await addCarriers(context, { caller, watchlistId }, { usdots: ["101", "102", "103"] });
  return account.accountId;
}

/** The import of a day is done. */
async function importDay(day: string): Promise<void> {
  clock.set(`${day}T12:00:00Z`);
  await setDetection(context.db, { finishedAt: `${day}T11:20:06Z`, asOf: day });
}

async function change(usdot: number, changed: { field?: string; before?: unknown; after?: unknown } = {}) {
  changeId += 1;
  const { field = "phone", before = "5125550142", after = "5125550177" } = changed;
  const category = field.endsWith("phone") ? "contact" : "fleet";
  const seenAt = clock.now().toISOString();
  await putChange(context, { id: changeId, usdot, category, field, before, after, seenAt });
}

/** The queued mails, with the text that they would be sent with now; null for none. */
async function mails() {
  const queued = await context.db.prisma.mailOutbox.findMany({
    where: { purpose: "carrier_changes" },
    orderBy: { id: "asc" },
  });
  const compose = WATCH_MAIL_COMPOSERS.carrier_changes;
  return Promise.all(
    queued.map(async ({ recipient, body }) => ({ recipient, ...(await compose?.(context, body ?? "")) })),
  );
}

it("says what changed at each carrier, and how to switch the mail off", async () => {
  await importDay(DAYS[1]);
  await change(101);
  await change(102, { field: "power_units", before: 3, after: 5 });
  await change(101, { field: "cell_phone", before: null });
  await change(102, { field: "cargo", before: ["dry_bulk"], after: ["dry_bulk", "meat"] });
  await change(102, { field: "dba_name", before: "a_b@c;d E", after: "A_B" });
  await mailChanges(context);
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    recipient: "ada@freight.example",
    subject: "5 changes of carriers that you watch",
  });
  expect(mail?.body).toBe(`The registry of 2026-11-17 has 5 changes of carriers on your watchlists.

CARRIER 101, USDOT 101
- Phone changed from 5125550142 to 5125550177
- Cell phone is new: 5125550177

CARRIER 102, USDOT 102
- Trucks changed from 3 to 5
- Cargo changed from dry bulk to dry bulk, meat
- Trade name changed from a_b@c;d E to A_B

Your lists and their newest changes: ${context.config.publicUrl}/dashboard/watchlists
You get this mail once a day when something changed. Switch it off on the same page.
`);
});

it("says values in words: yes or no, dollars, days with the month's name, codes", async () => {
  await importDay(DAYS[1]);
  await change(101, { field: "hazmat", before: false, after: true });
  await change(101, { field: "max_coverage", before: 75_000, after: 750_000 });
  await change(101, { field: "mcs150_date", before: "2024-11-03", after: "2026-11-12" });
  await change(101, { field: "usdot_status", before: "A", after: "I" });
  changeId += 1;
  await putChange(context, {
    id: changeId,
    usdot: 101,
    category: "insurance",
    field: "policy",
    item: { insurance_type: "3", policy_no: "B1" },
    before: null,
    after: { policy_no: "B1", max_coverage: 75_000, effective_on: "2026-12-01", filed_on: "2026-11-15" },
    on: "2026-11-15",
    seenAt: clock.now().toISOString(),
  });
  await mailChanges(context);
  const [mail] = await mails();
  expect(mail?.body).toContain(`
- Hazardous materials changed from no to yes
- Coverage changed from $75,000 to $750,000
- MCS-150 date changed from 3 November 2024 to 12 November
- USDOT status changed from active to inactive
- Policy (bond, policy B1) is new: effective on 1 December, coverage $75,000 (15 November)
`);
});

it("is queued once by many processes, and again on the next day with the new changes alone", async () => {
  await importDay(DAYS[1]);
  await change(101);
  const now = clock.now().toISOString();
  expect(await mailInProcesses(3, database.url, now)).toEqual([0, 0, 0]);
  expect(await mails()).toHaveLength(1);
  // A second import of the same day: its changes wait for the next day.
  await change(102, { field: "power_units", before: 3, after: 5 });
  await mailChanges(context);
  expect(await mails()).toHaveLength(1);
  await importDay(DAYS[2]);
  await mailChanges(context);
  const [, second, ...others] = await mails();
  expect(others).toEqual([]);
  expect(second?.body).toContain("Trucks changed from 3 to 5");
  expect(second?.body).not.toContain("Phone");
}, 60_000);

it("is queued although a process died while it queued it", async () => {
  await importDay(DAYS[1]);
  await change(101);
  await context.db.pool.query(`
    CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
    CREATE TRIGGER die BEFORE INSERT ON mail_outbox FOR EACH ROW EXECUTE FUNCTION die()`);
  await expect(mailChanges(context)).rejects.toThrow();
  await context.db.pool.query("DROP TRIGGER die ON mail_outbox; DROP FUNCTION die()");
  expect(await mails()).toEqual([]);
  await mailChanges(context);
  expect(await mails()).toHaveLength(1);
});

it("is not queued on a day without changes, nor before an import", async () => {
  await change(101);
  await mailChanges(context);
  expect(await mails()).toEqual([]);
  await stopMail(context, accountId);
  await startWatchMail(context, accountId);
  await importDay(DAYS[1]);
  await mailChanges(context);
  expect(await mails()).toEqual([]);
});

it("shows 50 changes and counts the others", async () => {
  await importDay(DAYS[1]);
  for (let made = 0; made < 1_102; made += 1) {
    await change(101, { field: "power_units", before: made, after: made + 1 });
  }
  await mailChanges(context);
  const [mail] = await mails();
  expect(mail?.subject).toBe("1,102 changes of carriers that you watch");
  expect(mail?.body?.match(/^- /gm)).toHaveLength(50);
  expect(mail?.body).toContain(`\nand 1,052 more: ${context.config.publicUrl}/dashboard/watchlists\n`);
});

it("has nothing of a removed business, of a blanked contact or of a state outside of the plan", async () => {
  await importDay(DAYS[1]);
  await change(101);
  await change(102, { before: "5125550199", after: "5125550188" });
  await change(103, { field: "power_units", before: 3, after: 5 });
  await removeBusinesses(context.db, [101]);
  await blankContacts(context.db, ["5125550188"], clock.now());
  const { planCode } = await callerOfAccount(context, accountId);
  await context.db.prisma.planFeed.updateMany({ where: { planCode }, data: { regions: ["TX"] } });
  try {
    await mailChanges(context);
    const [mail] = await mails();
    expect(mail?.subject).toBe("1 change of carriers that you watch");
    expect(mail?.body).toContain("Phone is no longer on record: 5125550199");
    expect(mail?.body).not.toMatch(/5125550142|5125550188|CARRIER 101|CARRIER 103/);
  } finally {
    await undoRemovals(context.db);
    await unblankContacts(context.db);
  }
});

it("has nothing of what was removed while it waited, and is not sent when nothing is left", async () => {
  await importDay(DAYS[1]);
  await change(101);
  await change(102, { before: "5125550199", after: "5125550188" });
  await mailChanges(context);
  const stored = await context.db.prisma.mailOutbox.findFirst();
  expect(`${stored?.subject} ${stored?.body}`).not.toMatch(/555|CARRIER 10/);
  const server = await startMailServer();
  const config = { ...context.config, smtpUrl: server.url, mailFrom: "feed@service.example" };
  const mailer = () =>
    startMailer({ ...context, config }, { pollEveryMs: 20, composers: WATCH_MAIL_COMPOSERS });
  const sent = async () => {
    const running = mailer();
    await expect.poll(() => context.db.prisma.mailOutbox.count({ where: { sentAt: null } })).toBe(0);
    await running.stop();
    return server.received.map(({ raw }) => raw);
  };
  await removeBusinesses(context.db, [101]);
  try {
    const [raw, ...others] = await sent();
    expect(others).toEqual([]);
    expect(raw).toContain("1 change of carriers that you watch");
    expect(raw).toContain("5125550188");
    expect(raw).not.toMatch(/5125550142|5125550177|CARRIER 101/);
    await importDay(DAYS[2]);
    await change(102);
    await mailChanges(context);
    await removeBusinesses(context.db, [102]);
    expect(await sent()).toHaveLength(1);
  } finally {
    await server.stop();
    await undoRemovals(context.db);
  }
});

it("tells of a connection by its kind alone, and nothing of it when the other business is removed while it waits", async () => {
  await importDay(DAYS[1]);
  for (const [before, after] of [
    [null, "now"],
    ["now", "earlier"],
  ] as const) {
    changeId += 1;
    const item = { usdot: 70_104, value: "5125550104" };
    const seenAt = clock.now().toISOString();
    const link = { usdot: 101, category: "connection", field: "phone", before, after, item, seenAt };
    await putChange(context, { id: changeId, ...link });
  }
  await mailChanges(context);
  const [mail] = await mails();
  expect(mail?.body).toContain(`CARRIER 101, USDOT 101
- Another business is connected by its phone
- Another business is no longer connected by its phone
`);
  expect(mail?.body).not.toMatch(/70104|5125550104/);
  await removeBusinesses(context.db, [70_104]);
  expect((await mails())[0]?.body).toBeUndefined();
  await undoRemovals(context.db);
});

it("waits for a suspended account, and ends with a closed one", async () => {
  await importDay(DAYS[1]);
  await change(101);
  await context.db.prisma.account.update({
    where: { id: accountId },
    data: { suspension: "Not paid", suspendedAt: clock.now() },
  });
  await mailChanges(context);
  expect(await mails()).toEqual([]);
  await context.db.prisma.account.update({
    where: { id: accountId },
    data: { suspension: null, suspendedAt: null },
  });
  await mailChanges(context);
  expect(await mails()).toHaveLength(1);
  await context.db.transaction((client) => endWatching(client, accountId));
  expect(await hasMail(context, accountId)).toBe(false);
});

it("is queued for others although an account has no rows left for the month", async () => {
  const poor = await watchingAccount();
  await startWatchMail(context, poor);
  const { planCode } = await callerOfAccount(context, poor);
  await context.db.prisma.plan.update({ where: { code: planCode }, data: { rowsPerMonth: 0 } });
  for (const table of ["watched_month", "watched_carrier"]) {
    await changeRows(context.db.pool, table, { month: "2026-10-01" }, { account_id: poor });
  }
  await importDay(DAYS[1]);
  await change(101);
  await mailChanges(context);
  expect(await mails()).toHaveLength(1);
  await context.db.prisma.plan.update({ where: { code: planCode }, data: { rowsPerMonth: 1_000 } });
  await mailChanges(context);
  expect(await mails()).toHaveLength(2);
});
