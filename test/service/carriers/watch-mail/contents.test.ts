import { expect, it } from "vitest";
import { callerOfAccount } from "../../../../src/accounts/keys/caller.ts";
import { mailChanges, WATCH_MAIL_COMPOSERS } from "../../../../src/carriers/watch-mail.ts";
import { startMailer } from "../../../../src/platform/mail/mailer.ts";
import { startMailServer } from "../../../support/network/mail-server.ts";
import { putChange } from "../../../support/registry/recorded-changes.ts";
import {
  blankContacts,
  removeBusinesses,
  unblankContacts,
  undoRemovals,
} from "../../../support/removals/removals.ts";
import {
  accountId,
  change,
  clock,
  context,
  DAYS,
  importDay,
  mails,
  nextChangeId,
  useWatchMail,
} from "./watch-mails.ts";

useWatchMail();

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
  await putChange(context, {
    id: nextChangeId(),
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
    const item = { usdot: 70_104, value: "5125550104" };
    const seenAt = clock.now().toISOString();
    const link = { usdot: 101, category: "connection", field: "phone", before, after, item, seenAt };
    await putChange(context, { id: nextChangeId(), ...link });
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
