import { expect, it } from "vitest";
import { callerOfAccount } from "../../../../src/accounts/keys/caller.ts";
import { mailChanges, startWatchMail } from "../../../../src/carriers/watch-mail.ts";
import { hasMail, stopMail } from "../../../../src/watchlists/mail-state.ts";
import { endWatching } from "../../../../src/watchlists/watchlists.ts";
import { mailInProcesses } from "../../../support/processes/mailing-processes.ts";
import { changeRows } from "../../../support/rows.ts";
import {
  accountId,
  change,
  clock,
  context,
  DAYS,
  database,
  importDay,
  mails,
  useWatchMail,
  watchingAccount,
} from "./watch-mails.ts";

useWatchMail();

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
