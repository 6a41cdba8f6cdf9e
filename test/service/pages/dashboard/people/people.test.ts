// Several people in an account: invited by mail, with roles, removed at once, and what they did.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAccount, readAccount } from "../../../../../src/accounts/accounts.ts";
import {
  INVITATION_DAYS,
  INVITATIONS_PER_HOUR,
  INVITATIONS_PER_MAILBOX_AND_DAY,
} from "../../../../../src/accounts/invitations/invitations.ts";
import { mailOwners } from "../../../../../src/accounts/people/owner-mail.ts";
import {
  addPerson,
  changeRole,
  listPeople,
  removePerson,
} from "../../../../../src/accounts/people/people.ts";
import { keepTables } from "../../../../../src/retention/upkeep.ts";
import { askForAccess } from "../../../../support/access.ts";
import { setOwner } from "../../../../support/accounts.ts";
import { runTdf } from "../../../../support/processes/command.ts";
import { optOut } from "../../../../support/removals/opt-outs.ts";
import { changeRows, putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { type Visitor, visitorBy, visitorOf } from "../../../../support/visitor.ts";

const OPERATOR = "night@operator.example";
const DAY_MS = 86_400_000;
/** The form of a new key. */
const NEW_KEY = { name: "k", scopes: "feeds:read" };

let service: TestService;
/** Another process of the service. */
let other: TestService;
let accountId: number;
let key: string;
let owner: string;
let accounts = 0;

beforeAll(async () => {
  service = await startTestService({ env: { OPERATOR_EMAIL: OPERATOR } });
  other = await startTestService({
    databaseUrl: service.context.config.databaseUrl ?? "",
    clock: service.clock,
  });
});
afterAll(async () => {
  await other.stop();
  await service.stop();
});
beforeEach(async () => {
  ({ accountId, key } = await service.createAccount({ feeds: { us_brokers: null } }));
  accounts += 1;
  owner = `olga${accounts}@freight.example`;
  await setOwner(service.context, accountId, owner);
});

const emailOf = (name: string): string => `${name}${accounts}@freight.example`;

/** The path of the link in the newest mail to an address. */
async function mailedLink(recipient: string, kind = "invitations"): Promise<string> {
  const mail = await service.context.db.prisma.mailOutbox.findFirst({
    where: { recipient, body: { contains: `/dashboard/${kind}/` } },
    orderBy: { id: "desc" },
  });
  return new RegExp(`/dashboard/${kind}/[\\w-]+`).exec(mail?.body ?? "")?.[0] ?? "";
}

const mailsTo = (recipient: string): Promise<number> =>
  service.context.db.prisma.mailOutbox.count({ where: { recipient } });

const rolesOf = async (id = accountId) =>
  Object.fromEntries((await listPeople(service.context, id)).map(({ email, role }) => [email, role]));

const invite = (visitor: Visitor, email: string, role = "member") => visitor.send("/people", { email, role });

async function joined(visitor: Visitor, name: string, role = "member"): Promise<Visitor> {
  await invite(visitor, emailOf(name), role);
  return visitorBy(service.url, await mailedLink(emailOf(name)));
}

/** The number of a person or an invitation, as the page of people links it. */
const idOn = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? "";

describe("an invitation", () => {
  it("is mailed, tells who invites, and signs in and accepts by its button, once", async () => {
    const visitor = await visitorOf(service, accountId);
    const page = await invite(visitor, emailOf("mia"), "reader");
    expect(page.text).toContain("The invitation is mailed.");
    expect(page.text).toContain(emailOf("mia"));
    const link = await mailedLink(emailOf("mia"));
    for (let times = 0; times < 2; times += 1) {
      const scanned = await (await fetch(service.url + link)).text();
      expect(scanned).toContain(`${owner} invites <strong>${emailOf("mia")}</strong>`);
      expect(await rolesOf()).toEqual({ [owner]: "owner" });
    }
    const mia = await visitorBy(service.url, link);
    expect((await mia.open("/people")).text).toContain(`${emailOf("mia")} (you)`);
    expect(await rolesOf()).toEqual({ [owner]: "owner", [emailOf("mia")]: "reader" });
    expect((await fetch(service.url + link, { method: "POST" })).status).toBe(410);
    expect((await visitor.open("/people")).text).not.toContain("Invitations");
  });

  it("says the same for an address that is known elsewhere and one that is not", async () => {
    const visitor = await visitorOf(service, accountId);
    const elsewhere = await service.createAccount();
    await setOwner(service.context, elsewhere.accountId, emailOf("known"));
    const [known, unknown] = [
      await invite(visitor, emailOf("known")),
      await invite(visitor, emailOf("nobody")),
    ];
    const plain = (text: string) =>
      text
        .replaceAll(/(?:known|nobody)\d+@freight\.example/g, "ADDRESS")
        .replaceAll(/invitations\/\d+/g, "ID");
    expect(known.status).toBe(200);
    const lines = (text: string) =>
      plain(text)
        .split(/<tr[^>]*>/)
        .filter((line) => line.includes("ADDRESS"))
        .map((line) => line.split("</tr>")[0]);
    expect(lines(unknown.text)[0]).toBe(lines(unknown.text)[1]);
    const offered = async (name: string) =>
      plain(await (await fetch(service.url + (await mailedLink(emailOf(name))))).text());
    expect(await offered("known")).toBe(await offered("nobody"));
  });

  it("expires, is sent again with another link, and can be withdrawn", async () => {
    const visitor = await visitorOf(service, accountId);
    await invite(visitor, emailOf("mia"));
    const first = await mailedLink(emailOf("mia"));
    service.clock.advance(INVITATION_DAYS * DAY_MS);
    expect((await fetch(service.url + first, { method: "POST" })).status).toBe(410);
    const again = await visitorOf(service, accountId);
    const { text } = await again.open("/people");
    expect(text).toContain("expired");
    const id = idOn(text, /invitations\/(\d+)\/again/);
    await again.send(`/people/invitations/${id}/again`, {});
    const second = await mailedLink(emailOf("mia"));
    expect(second).not.toBe(first);
    expect((await fetch(service.url + first)).status).toBe(410);
    expect((await fetch(service.url + second)).status).toBe(200);
    await again.send(`/people/invitations/${id}/withdraw`, {});
    expect((await fetch(service.url + second, { method: "POST" })).status).toBe(410);
    expect(await rolesOf()).toEqual({ [owner]: "owner" });
  });

  // Its link is dead. The address may have been spelt in another way when it was invited again.
  it("that is withdrawn is mailed no more, but those that were mailed and those of other accounts stay", async () => {
    const visitor = await visitorOf(service, accountId);
    await invite(visitor, emailOf("mia"));
    const spelt = emailOf("mia").toUpperCase();
    await changeRows(
      service.context.db.pool,
      "mail_outbox",
      { sent_at: service.clock.now(), body: null },
      { recipient: emailOf("mia") },
    );
    await invite(visitor, spelt);
    const elsewhere = await service.createAccount();
    // An address that belongs to another account, too.
    await setOwner(service.context, elsewhere.accountId, emailOf("ben"));
    for (const name of ["ben", "eve"]) await invite(visitor, emailOf(name));
    await invite(await visitorOf(service, elsewhere.accountId), emailOf("eve"));
    const { text } = await visitor.open("/people");
    for (const [, id] of text.matchAll(/invitations\/(\d+)\/withdraw/g))
      await visitor.send(`/people/invitations/${id}/withdraw`, {});
    expect((await visitor.open("/people")).text).not.toContain("Invitations");
    const left = await Promise.all([emailOf("mia"), spelt, emailOf("ben"), emailOf("eve")].map(mailsTo));
    expect(left).toEqual([1, 0, 0, 2]);
  });

  it("is refused for a person of the account, a wrong address and too many in an hour", async () => {
    const visitor = await visitorOf(service, accountId);
    expect((await invite(visitor, owner.toUpperCase())).status).toBe(400);
    expect((await invite(visitor, "no address")).text).toContain("must look like");
    expect((await invite(visitor, emailOf("mia"), "boss")).text).toContain("Choose one of the list");
    for (let count = 0; count < INVITATIONS_PER_HOUR; count += 1) {
      expect((await invite(visitor, emailOf(`m${count}.`))).status).toBe(200);
    }
    const refused = await invite(visitor, emailOf("mia"));
    expect(refused.status).toBe(429);
    expect(await mailsTo(emailOf("mia"))).toBe(0);
    service.clock.advance(3_600_000);
    expect((await invite(visitor, emailOf("mia"))).status).toBe(200);
  });

  it("is mailed to a mailbox three times a day, however it is spelt, withdrawn or sent again", async () => {
    const visitor = await visitorOf(service, accountId);
    const [local, domain] = emailOf("mia").split("@");
    const spellings = [emailOf("mia"), `${local}+a@${domain}`, emailOf("mia").toUpperCase()];
    for (const spelling of spellings) expect((await invite(visitor, spelling)).status).toBe(200);
    const id = idOn((await visitor.open("/people")).text, /invitations\/(\d+)\/again/);
    const again = await visitor.send(`/people/invitations/${id}/again`, {});
    await visitor.send(`/people/invitations/${id}/withdraw`, {});
    const refused = await invite(visitor, `${local}+b@${domain}`);
    expect([again.status, refused.status]).toEqual([429, 429]);
    expect(refused.text).toContain(
      `An account may mail ${INVITATIONS_PER_MAILBOX_AND_DAY} invitations a day to one address.`,
    );
    expect((await invite(visitor, emailOf("ben"))).status).toBe(200);
    service.clock.advance(DAY_MS);
    expect((await invite(await visitorOf(service, accountId), emailOf("mia"))).status).toBe(200);
  });

  it("mailed again is one mail with the link that works, unless another account invites the address too", async () => {
    const visitor = await visitorOf(service, accountId);
    const { accountId: elsewhere } = await service.createAccount();
    await invite(await visitorOf(service, elsewhere), emailOf("ben"));
    for (const name of ["mia", "ben"]) await invite(visitor, emailOf(name));
    const id = idOn((await visitor.open("/people")).text, /invitations\/(\d+)\/again/);
    await visitor.send(`/people/invitations/${id}/again`, {});
    await invite(visitor, emailOf("ben"));
    expect([await mailsTo(emailOf("mia")), await mailsTo(emailOf("ben"))]).toEqual([1, 3]);
    expect((await fetch(service.url + (await mailedLink(emailOf("mia"))))).status).toBe(200);
  });

  // A request that began before its person lost the role or the address may have invited afterwards.
  it("is not accepted unless who invited is an owner by then", async () => {
    const visitor = await visitorOf(service, accountId);
    await joined(visitor, "ben");
    for (const inviter of [emailOf("ben"), emailOf("gone")]) {
      await invite(visitor, emailOf("mia"), "owner");
      const link = service.url + (await mailedLink(emailOf("mia")));
      const { pool } = service.context.db;
      await changeRows(pool, "invitation", { invited_by: inviter }, { account_id: accountId });
      expect((await fetch(link, { method: "POST", redirect: "manual" })).status).toBe(410);
      expect(await rolesOf()).toEqual({ [owner]: "owner", [emailOf("ben")]: "member" });
    }
  });

  it("of another account is not found", async () => {
    const visitor = await visitorOf(service, accountId);
    await invite(visitor, emailOf("mia"));
    const id = idOn((await visitor.open("/people")).text, /invitations\/(\d+)\/again/);
    const { accountId: stranger } = await service.createAccount();
    const strangers = await visitorOf(service, stranger);
    for (const action of ["again", "withdraw"]) {
      expect((await strangers.send(`/people/invitations/${id}/${action}`, {})).status).toBe(404);
    }
    const [person] = await listPeople(service.context, accountId);
    expect((await strangers.open(`/people/${person?.id}`)).status).toBe(404);
    expect((await strangers.send(`/people/${person?.id}/remove`, {})).status).toBe(404);
    expect((await strangers.send(`/people/${person?.id}/role`, { role: "reader" })).status).toBe(404);
  });
});

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

describe("an address in several accounts", () => {
  it("gets one mail, chooses the account, and cannot use a form of the account before", async () => {
    const { id: second } = await createAccount(service.context, {
      name: "Second Freight",
      email: owner,
      planCode: (await readAccount(service.context, accountId)).plan,
    });
    const before = await mailsTo(owner);
    await fetch(`${service.url}/dashboard/sign-in`, {
      method: "POST",
      body: new URLSearchParams({ email: owner }),
    });
    expect(await mailsTo(owner)).toBe(before + 1);
    const entered = await fetch(service.url + (await mailedLink(owner, "sign-in")), {
      method: "POST",
      redirect: "manual",
    });
    expect(entered.headers.get("location")).toBe("/dashboard/accounts");
    const cookieOf = (answer: Response) => (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
    const open = async (path: string, Cookie: string) =>
      (await fetch(`${service.url}/dashboard${path}`, { headers: { Cookie }, redirect: "manual" })).text();
    const send = (path: string, Cookie: string, form: Record<string, string>) =>
      fetch(`${service.url}/dashboard${path}`, {
        method: "POST",
        headers: { Cookie },
        body: new URLSearchParams(form),
        redirect: "manual",
      });
    const first = cookieOf(entered);
    const page = await open("/accounts", first);
    expect(page).toContain("Second Freight");
    const form_token = idOn(page, /name="form_token" value="([^"]+)"/);
    const { accountId: foreign } = await service.createAccount();
    expect((await send("/accounts", first, { form_token, account: String(foreign) })).status).toBe(404);
    const { pool } = service.context.db;
    const thirtyDaysAgo = service.clock.now().getTime() - 30 * DAY_MS;
    await changeRows(pool, "dashboard_session", { created_at: new Date(thirtyDaysAgo + 60_000) });
    const switched = cookieOf(await send("/accounts", first, { form_token, account: String(second) }));
    expect(await open("", switched)).toContain("Second Freight");
    expect(await open("", switched)).toContain("Switch account");
    expect((await send("/keys", switched, { ...NEW_KEY, form_token, name: "old form" })).status).toBe(403);
    expect(await open("", first)).not.toContain("Overview");
    // Who switches again and again does not stay signed in for ever.
    service.clock.advance(60_000);
    expect(await open("", switched)).not.toContain("Second Freight");
  });

  it("has no switch with one account", async () => {
    expect((await (await visitorOf(service, accountId)).open("")).text).not.toContain("Switch account");
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

it("pages show who made keys, endpoints and watchlists", async () => {
  const visitor = await visitorOf(service, accountId);
  const mia = await joined(visitor, "mia");
  await mia.send("/keys", { ...NEW_KEY, name: "Nightly" });
  await mia.send("/watchlists", { name: "Clients", description: "" });
  await service.send("POST", "/v1/watchlists", { key, body: { name: "By program" } });
  const url = "https://hooks.example.com/in";
  await mia.send("/webhooks", { url, event_types: "new_authority_granted" });
  await service.send("POST", "/v1/webhooks", { key, body: { url, event_types: ["new_authority_granted"] } });
  const byProgram = `API key <code>${key.split("_").slice(0, 3).join("_")}</code>`;
  expect((await visitor.open("/keys")).text).toContain(`${emailOf("mia")}</td>`);
  for (const path of ["/watchlists", "/webhooks"]) {
    const { text } = await visitor.open(path);
    expect({ path, byPerson: text.includes(`>${emailOf("mia")}</td>`) }).toEqual({ path, byPerson: true });
    expect({ path, byProgram: text.includes(byProgram) }).toEqual({ path, byProgram: true });
  }
});

describe("the log", () => {
  it("says what people did, with who, newest first, without secrets", async () => {
    const visitor = await visitorOf(service, accountId);
    const mia = await joined(visitor, "mia");
    const made = await mia.send("/keys", { ...NEW_KEY, name: "Nightly sync" });
    const secret = idOn(made.text, /(tdf_live_\w+_\w{10,})/);
    expect(secret).not.toBe("");
    const keyId = idOn(made.text, /keys\/(\w+)\/revoke" aria-label="Revoke Nightly sync/);
    const rotated = idOn(
      (await mia.send(`/keys/${keyId}/rotate`, { grace: "0" })).text,
      /(tdf_live_\w+_\w{10,})/,
    );
    await mia.send(`/keys/${keyId}/revoke`, {});
    await mia.send("/watchlists/mail", { mail: "on" });
    await mia.send("/people/leave", {});
    const { text } = await visitor.open("/people/log");
    const found = [...text.matchAll(/<td[^>]*>([^<]+@[^<]+)<\/td><td[^>]*>(.*?)<\/td>/g)].map(
      ([, who, what]) => `${who} ${what?.replaceAll(/<\/?strong>/g, "")}`,
    );
    expect(found).toEqual([
      `${emailOf("mia")} left the account`,
      `${emailOf("mia")} switched the daily mail on`,
      `${emailOf("mia")} revoked the key Nightly sync (tdf_live_${keyId})`,
      `${emailOf("mia")} gave the key Nightly sync (tdf_live_${keyId}) a new secret`,
      `${emailOf("mia")} made the key Nightly sync (tdf_live_${keyId})`,
      `${emailOf("mia")} signed in`,
      `${emailOf("mia")} joined as member`,
      `${owner} invited ${emailOf("mia")}: member`,
      `${owner} signed in`,
    ]);
    expect(rotated).not.toBe("");
    for (const each of [secret, rotated]) expect(text).not.toContain(each);
  });

  it("is read by pages, and only the account's own", async () => {
    await service.context.db.prisma.accountLog.createMany({
      data: Array.from({ length: 230 }, (_, index) => ({
        accountId,
        at: service.clock.now(),
        person: owner,
        action: "key_made",
        subject: `key ${index}`,
      })),
    });
    const visitor = await visitorOf(service, accountId);
    const seen: string[] = [];
    for (let path: string | null = "/people/log"; path !== null; ) {
      const { text }: { text: string } = await visitor.open(path);
      seen.push(...[...text.matchAll(/<strong>(key \d+)<\/strong>/g)].map(([, name = ""]) => name));
      const older = idOn(text, /\/dashboard(\/people\/log\?before=\d+)"/);
      path = older === "" ? null : older;
    }
    expect(seen).toEqual(Array.from({ length: 230 }, (_, index) => `key ${229 - index}`));
    const { accountId: stranger } = await service.createAccount();
    expect((await (await visitorOf(service, stranger)).open("/people/log")).text).not.toContain("key 1");
  });

  it("is kept for 400 days", async () => {
    const count = () => service.context.db.prisma.accountLog.count({ where: { accountId } });
    await visitorOf(service, accountId);
    service.clock.advance(399 * DAY_MS);
    await keepTables(service.context);
    expect(await count()).toBe(1);
    service.clock.advance(2 * DAY_MS);
    await keepTables(service.context);
    expect(await count()).toBe(0);
  });
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
