import { describe, expect, it } from "vitest";
import { readAccount } from "../../../../src/accounts/accounts.ts";
import { listInvitations } from "../../../../src/accounts/invitations/invitations.ts";
import { mailOwners } from "../../../../src/accounts/people/owner-mail.ts";
import {
  requestNewEmail,
  requestSignIn,
  signInLink,
} from "../../../../src/accounts/sessions/sign-in-links.ts";
import { outboxState } from "../../../../src/platform/mail/outbox.ts";
import { closeAccount } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { setOwner } from "../../../support/accounts.ts";
import { removeRows } from "../../../support/rows.ts";
import { visitorOf } from "../../../support/visitor.ts";
import {
  customer,
  here,
  json,
  recipients,
  sent,
  service,
  signedIn,
  tdf,
  useTwoProcesses,
} from "./two-processes.ts";

useTwoProcesses();

it("a new address counts only once it confirms the mailed link, which signs out whoever was signed in", async () => {
  const { accountId } = await customer();
  const superseded = await requestNewEmail(service.context, accountId, "new@freight.example");
  const url = await requestNewEmail(service.context, accountId, "new@freight.example");
  const emailOf = async () => (await readAccount(service.context, accountId)).email;
  expect(await emailOf()).toBe("ada@freight.example");
  const mails = await service.context.db.prisma.mailOutbox.findMany({ where: { purpose: "new_email" } });
  expect(mails.map(({ recipient }) => recipient)).toEqual(["new@freight.example", "new@freight.example"]);
  expect(mails.at(-1)?.body).toContain(new URL(url).pathname);
  // A mail scanner opens the link and changes nothing.
  expect(await (await fetch(here(url))).text()).toContain("confirm <strong>new@freight.example</strong>");
  expect(await emailOf()).toBe("ada@freight.example");
  expect((await fetch(here(superseded), { method: "POST" })).status).toBe(410);
  service.clock.advance(71 * 3_600_000);
  const before = await signedIn(here(await signInLink(service.context, accountId)));
  expect(await before("/")).toMatch(/^200 /);
  const after = await signedIn(here(url));
  expect(await emailOf()).toBe("new@freight.example");
  expect(await after("/")).toContain("new@freight.example");
  expect(await before("/")).toMatch(/^303 .*sign-in/);
  const told = await service.context.db.prisma.mailOutbox.findMany({ where: { purpose: "email_changed" } });
  expect(told.map(({ recipient }) => recipient)).toEqual(["ada@freight.example"]);
  expect((await tdf("account", "set-email", String(accountId), "--email", "nobody")).err).toContain(
    "must look",
  );
});

// Whoever read the old mailbox could invite themselves as an owner before the address was changed.
it("a new address ends the invitations that the old one mailed", async () => {
  const { accountId } = await customer();
  const owner = await visitorOf(service, accountId);
  await owner.send("/people", { email: "evil@else.example", role: "owner" });
  const mail = await service.context.db.prisma.mailOutbox.findFirst({
    where: { recipient: "evil@else.example" },
  });
  const [link] = /\/dashboard\/invitations\/[\w-]+/.exec(mail?.body ?? "") ?? [""];
  expect((await fetch(service.url + link)).status).toBe(200);
  await signedIn(here(await requestNewEmail(service.context, accountId, "safe@freight.example")));
  expect(await listInvitations(service.context, accountId)).toEqual([]);
  expect((await fetch(service.url + link, { method: "POST", redirect: "manual" })).status).toBe(410);
});

describe("a closed account", () => {
  it("has no address in the mails when it is erased: of people, unconfirmed, invited, changed or removed", async () => {
    const { accountId } = await customer();
    const id = String(accountId);
    const at = (name: string) => `${name}@erased.example`;
    await setOwner(service.context, accountId, at("owner"));
    const owner = await visitorOf(service, accountId);
    await owner.send("/people", { email: at("invited"), role: "member" });
    await json("account", "person", "add", id, "--email", at("removed"), "--role", "member");
    for (const name of ["owner", "removed"]) await requestSignIn(service.context, "198.51.100.7", at(name));
    await json("account", "set-email", id, "--email", at("mistyped"));
    await sent();
    await json("account", "person", "remove", id, "--email", at("removed"));
    await json("account", "set-email", id, "--email", at("next"));
    await sent();
    expect(await recipients()).toEqual([at("invited"), at("next"), at("owner")]);
    await signedIn(here(await requestNewEmail(service.context, accountId, at("next"))));
    // What the old address invited has ended.
    await (await visitorOf(service, accountId)).send("/people", { email: at("invited"), role: "member" });
    await json("account", "set-email", id, "--email", at("pending"));
    await sent();
    // Only the mail that told the address before of the change.
    expect(await recipients()).toEqual([at("invited"), at("next"), at("owner"), at("pending")]);
    await json("account", "close", id, "--erase-data");
    expect(await recipients()).toEqual([at("owner")]);
  });

  it("gets no mail that still waits when it is erased, but the mails that end something", async () => {
    const { accountId } = await customer();
    const id = String(accountId);
    const at = (name: string) => `${name}@erased.example`;
    await removeRows(service.context.db.pool, "mail_outbox");
    await setOwner(service.context, accountId, at("owner"));
    const owner = await visitorOf(service, accountId);
    await owner.send("/people", { email: at("invited"), role: "member" });
    for (const name of ["removed", "shared"])
      await json("account", "person", "add", id, "--email", at(name), "--role", "member");
    const elsewhere = await customer();
    await setOwner(service.context, elsewhere.accountId, at("shared"));
    for (const name of ["owner", "removed", "shared"])
      await requestSignIn(service.context, "198.51.100.7", at(name));
    const warning = { purpose: "quota_warning" as const, subject: "s", body: "b", now: service.clock.now() };
    await mailOwners(service.context.db.pool, accountId, { ...warning, identity: "waits" });
    await json("account", "person", "remove", id, "--email", at("removed"));
    expect(await recipients()).toEqual([at("invited"), at("owner"), at("shared")]);
    await signedIn(here(await requestNewEmail(service.context, accountId, at("next"))));
    await json("account", "set-email", id, "--email", at("pending"));
    await json("account", "close", id, "--erase-data");
    const mails = await service.context.db.prisma.mailOutbox.findMany({ orderBy: { id: "asc" } });
    expect(mails.map(({ purpose, recipient }) => `${purpose} ${recipient}`)).toEqual([
      // The address belongs to another account, too: the mail may be that account's.
      `sign_in ${at("shared")}`,
      "quota_warning ",
      `email_changed ${at("owner")}`,
    ]);
    expect(mails[1]).toMatchObject({
      identity: expect.stringMatching(/^waits person \d+$/),
      subject: "",
      body: null,
      failedAt: service.clock.now(),
    });
    expect(await outboxState(service.context)).toMatchObject({ waiting: 2 });
  });

  // An address change that nobody confirmed in time, and an invitation that nobody accepted, keep no mail waiting.
  it("gets no mail that still waits, although another account was to have or invited the address long ago", async () => {
    const { accountId } = await customer();
    const elsewhere = await customer();
    const email = "owner@expired.example";
    await requestNewEmail(service.context, elsewhere.accountId, email);
    await (await visitorOf(service, elsewhere.accountId)).send("/people", { email, role: "member" });
    service.clock.advance(8 * 24 * 3_600_000);
    await setOwner(service.context, accountId, email);
    await sent();
    await requestSignIn(service.context, "198.51.100.7", email);
    await closeAccount(service.context, accountId, { erases: true });
    const mails = await service.context.db.prisma.mailOutbox.count({ where: { recipient: email } });
    expect(mails).toBe(0);
  });

  it("whose data are kept gets no mail any more with a link that ended", async () => {
    const { accountId } = await customer();
    const id = String(accountId);
    const at = (name: string) => `${name}@erased.example`;
    await removeRows(service.context.db.pool, "mail_outbox");
    await setOwner(service.context, accountId, at("owner"));
    await requestSignIn(service.context, "198.51.100.7", at("owner"));
    await sent();
    await (await visitorOf(service, accountId)).send("/people", { email: at("invited"), role: "member" });
    await requestSignIn(service.context, "198.51.100.7", at("owner"));
    await json("account", "set-email", id, "--email", at("pending"));
    expect(await outboxState(service.context)).toMatchObject({ waiting: 3 });
    await json("account", "close", id, "--keep-data");
    expect(await outboxState(service.context)).toMatchObject({ waiting: 0 });
    // A mail that was sent is of the data that are kept.
    expect(await recipients()).toEqual([at("owner")]);
  });
});
