// Several people in an account: with roles, removed at once, and who gets its mails.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAccount } from "../../../../../src/accounts/accounts.ts";
import { mailOwners } from "../../../../../src/accounts/people/owner-mail.ts";
import {
  addPerson,
  changeRole,
  listPeople,
  removePerson,
} from "../../../../../src/accounts/people/people.ts";
import { askForAccess } from "../../../../support/access.ts";
import { runTdf } from "../../../../support/processes/command.ts";
import { optOut } from "../../../../support/removals/opt-outs.ts";
import { changeRows, putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { visitorOf } from "../../../../support/visitor.ts";
import {
  accountId,
  emailOf,
  idOn,
  invite,
  joined,
  mailedLink,
  mailsTo,
  NEW_KEY,
  OPERATOR,
  owner,
  rolesOf,
  service,
  useAccounts,
} from "./account-people.ts";

useAccounts();

/** Another process of the service. */
let other: TestService;
beforeAll(async () => {
  other = await startTestService({
    databaseUrl: service.context.config.databaseUrl ?? "",
    clock: service.clock,
  });
});
afterAll(() => other.stop());

describe("a person", () => {
  it("who is removed is signed out at once, by every process, and cannot come back by an old link or invitation", async () => {
    const visitor = await visitorOf(service, accountId);
    const mia = await joined(visitor, "mia", "owner");
    await invite(mia, emailOf("backdoor"), "owner");
    const backdoor = await mailedLink(emailOf("backdoor"));
    expect((await fetch(service.url + backdoor)).status).toBe(200);
    const [, person] = await listPeople(service.context, accountId);
    await removePerson(other.context, { accountId }, person?.id ?? 0);
    expect((await mia.post("/keys", new URLSearchParams(NEW_KEY))).headers.get("location")).toContain(
      "sign-in",
    );
    const before = await mailsTo(emailOf("mia"));
    await fetch(`${service.url}/dashboard/sign-in`, {
      method: "POST",
      body: new URLSearchParams({ email: emailOf("mia") }),
    });
    expect(await mailsTo(emailOf("mia"))).toBe(before);
    expect((await fetch(service.url + backdoor)).status).toBe(410);
    // The mail is not sent if it still waits.
    expect(await mailsTo(emailOf("backdoor"))).toBe(0);
  });

  // A customer could invite the operator's address, and so delete the operator's mails.
  it("who is demoted or removed takes along their invitations' mails alone, whatever waits for the invited", async () => {
    const stranger = emailOf("stranger");
    const asked = { method: "POST", body: new URLSearchParams({ email: OPERATOR }) };
    await fetch(`${service.url}/admin/sign-in`, asked);
    await askForAccess(service.context, stranger);
    await optOut(service.url, { usdot: "1", requester_email: stranger });
    const visitor = await visitorOf(service, accountId);
    for (const [name, end] of [
      ["mia", (personId: number) => changeRole(service.context, { accountId }, { personId, role: "member" })],
      ["ben", (personId: number) => removePerson(service.context, { accountId }, personId)],
    ] as const) {
      const inviter = await joined(visitor, name, "owner");
      for (const email of [OPERATOR, stranger]) await invite(inviter, email);
      expect([await mailsTo(OPERATOR), await mailsTo(stranger)]).toEqual([2, 3]);
      const people = await listPeople(service.context, accountId);
      await end(people.find(({ email }) => email === emailOf(name))?.id ?? 0);
      expect([await mailsTo(OPERATOR), await mailsTo(stranger)]).toEqual([1, 2]);
    }
  });

  it("has another role from the next request on", async () => {
    const visitor = await visitorOf(service, accountId);
    const mia = await joined(visitor, "mia", "reader");
    expect((await mia.send("/keys", NEW_KEY)).status).toBe(403);
    const id = idOn((await visitor.open("/people")).text.split(emailOf("mia"))[1] ?? "", /people\/(\d+)"/);
    expect((await visitor.send(`/people/${id}/role`, { role: "member" })).text).toContain(
      "The role is changed.",
    );
    expect((await mia.send("/keys", NEW_KEY)).status).toBe(200);
    await changeRole(other.context, { accountId }, { personId: Number(id), role: "reader" });
    expect((await mia.send("/keys", NEW_KEY)).status).toBe(403);
  });

  // The page to sign in said nothing of it.
  it("is told that they have left when they remove themselves", async () => {
    const visitor = await visitorOf(service, accountId);
    await joined(visitor, "mia", "owner");
    const [own] = await listPeople(service.context, accountId);
    const { text, path } = await visitor.send(`/people/${own?.id}/remove`, {});
    expect(path).toContain("/sign-in");
    expect(text).toContain("You have left the account.");
    expect(await rolesOf()).toEqual({ [emailOf("mia")]: "owner" });
  });

  it("leaves, unless they are the last owner, who can neither be removed nor lose the role", async () => {
    const visitor = await visitorOf(service, accountId);
    const [only] = await listPeople(service.context, accountId);
    for (const [path, form] of [
      ["/people/leave", {}],
      [`/people/${only?.id}/remove`, {}],
      [`/people/${only?.id}/role`, { role: "member" }],
    ] as const) {
      const refused = await visitor.send(path, form);
      expect({ path, status: refused.status }).toEqual({ path, status: 400 });
      expect(refused.text).toContain("is the only owner of the account");
    }
    const { text: asked } = await visitor.open("/people/leave");
    expect(asked).toContain("You are the only owner. To leave, make another person an owner first.");
    expect(asked).not.toContain('<button class="danger">');
    // The page had forms that could only fail.
    const { text: own } = await visitor.open(`/people/${only?.id}`);
    expect(own).toContain("You are the only owner.");
    expect(own).not.toContain('<button class="danger">');
    const mia = await joined(visitor, "mia", "reader");
    expect((await mia.open("/people/leave")).text).toContain('<button class="danger">Leave ');
    await mia.send("/people/leave", {});
    expect(await rolesOf()).toEqual({ [owner]: "owner" });
    expect((await mia.post("/sign-out", new URLSearchParams())).headers.get("location")).toContain(
      "/sign-in",
    );
  });

  it("is one of two owners who remove each other: one stays", async () => {
    const { id } = await addPerson(service.context, accountId, { email: emailOf("mia"), role: "owner" });
    const [first] = await listPeople(service.context, accountId);
    const people = [
      { id: first?.id ?? 0, email: owner, role: "owner" },
      { id, email: emailOf("mia"), role: "owner" },
    ] as const;
    const removed = await Promise.allSettled([
      removePerson(service.context, { accountId, person: people[0] }, people[1].id),
      removePerson(other.context, { accountId, person: people[1] }, people[0].id),
    ]);
    expect(removed.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(Object.values(await rolesOf())).toEqual(["owner"]);
  });
});

it("mails of the account go to each owner, and with one owner as before", async () => {
  const { context } = service;
  const mail = { purpose: "quota_warning" as const, subject: "s", body: "b", now: service.clock.now() };
  const identity = `quota of account ${accountId}`;
  const mailed = () =>
    context.db.prisma.mailOutbox.findMany({
      where: { identity: { startsWith: identity } },
      orderBy: { id: "asc" },
      select: { recipient: true, identity: true },
    });
  const [first] = await listPeople(context, accountId);
  const firstIdentity = `${identity} person ${first?.id}`;
  await mailOwners(context.db.pool, accountId, { ...mail, identity });
  expect(await mailed()).toEqual([{ recipient: owner, identity: firstIdentity }]);
  await addPerson(context, accountId, { email: emailOf("reader"), role: "reader" });
  const { id } = await addPerson(context, accountId, { email: emailOf("mia"), role: "owner" });
  for (let times = 0; times < 2; times += 1)
    await mailOwners(context.db.pool, accountId, { ...mail, identity });
  expect(await mailed()).toEqual([
    { recipient: owner, identity: firstIdentity },
    { recipient: emailOf("mia"), identity: `${identity} person ${id}` },
  ]);
  // A removed owner's address is erased. What was mailed once is still not mailed again.
  await changeRows(context.db.pool, "mail_outbox", { sent_at: service.clock.now() });
  await removePerson(context, { accountId }, first?.id ?? 0);
  await mailOwners(context.db.pool, accountId, { ...mail, identity });
  expect(await mailed()).toEqual([
    { recipient: "", identity: firstIdentity },
    { recipient: emailOf("mia"), identity: `${identity} person ${id}` },
  ]);
});

it("operators list, add, change and remove people", async () => {
  const tdf = (...words: string[]) =>
    runTdf({ DATABASE_URL: service.context.config.databaseUrl ?? "" }, "account", "person", ...words);
  const id = String(accountId);
  const mia = emailOf("mia");
  expect((await tdf("add", id, "--email", mia, "--role", "reader")).err).toBe("");
  expect((await tdf("role", id, "--email", mia, "--role", "owner")).err).toBe("");
  expect((await tdf("list", id)).out).toMatch(new RegExp(`${mia}\\s+owner`));
  expect((await tdf("remove", id, "--email", owner)).err).toBe("");
  expect(await rolesOf()).toEqual({ [mia]: "owner" });
  expect((await readAccount(service.context, accountId)).email).toBe(mia);
  expect((await tdf("remove", id, "--email", mia)).err).toContain("is the only owner");
  expect((await tdf("add", id, "--email", mia, "--role", "boss")).err).toContain('There is no role "boss"');
  await invite(await visitorOf(service, accountId), emailOf("invited"));
  const readers = Array.from({ length: 48 }, (_, index) => ({
    account_id: accountId,
    email: emailOf(`reader${index}.`),
    role: "reader",
    joined_at: service.clock.now(),
  }));
  await putRows(service.context.db.pool, "account_person", ...readers);
  expect(await tdf("add", id, "--email", emailOf("late"), "--role", "reader")).toMatchObject({
    status: 2,
    err: "An account may have 50 people and invitations. Remove a person or withdraw an invitation first.\n",
  });
  expect((await tdf("add", id, "--email", emailOf("invited"), "--role", "reader")).status).toBe(0);
});
