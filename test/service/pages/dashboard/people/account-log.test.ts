// What the people of an account did, and who made what; an address that is in several accounts.
import { describe, expect, it } from "vitest";
import { createAccount, readAccount } from "../../../../../src/accounts/accounts.ts";
import { keepTables } from "../../../../../src/retention/upkeep.ts";
import { changeRows } from "../../../../support/rows.ts";
import { visitorOf } from "../../../../support/visitor.ts";
import {
  accountId,
  DAY_MS,
  emailOf,
  idOn,
  joined,
  key,
  mailedLink,
  mailsTo,
  NEW_KEY,
  owner,
  service,
  useAccounts,
} from "./account-people.ts";

useAccounts();

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
