// People are invited into an account by mail.
import { describe, expect, it } from "vitest";
import {
  INVITATION_DAYS,
  INVITATIONS_PER_HOUR,
  INVITATIONS_PER_MAILBOX_AND_DAY,
} from "../../../../../src/accounts/invitations/invitations.ts";
import { listPeople } from "../../../../../src/accounts/people/people.ts";
import { setOwner } from "../../../../support/accounts.ts";
import { changeRows } from "../../../../support/rows.ts";
import { visitorBy, visitorOf } from "../../../../support/visitor.ts";
import {
  accountId,
  DAY_MS,
  emailOf,
  idOn,
  invite,
  joined,
  mailedLink,
  mailsTo,
  owner,
  rolesOf,
  service,
  useAccounts,
} from "./account-people.ts";

useAccounts();

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
    // Who accepted can't be invited again.
    const own = (await mia.open(link.replace("/dashboard", ""))).text;
    expect(own).toContain(`You are signed in as <strong>${emailOf("mia")}</strong>`);
    expect(await (await fetch(service.url + link)).text()).toContain("If you have accepted it");
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
