import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lockAccount, readAccount } from "../../../src/accounts/accounts.ts";
import { listInvitations } from "../../../src/accounts/invitations/invitations.ts";
import { admit } from "../../../src/accounts/keys/admission.ts";
import { USUAL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { mailOwners } from "../../../src/accounts/people/owner-mail.ts";
import { listPeople } from "../../../src/accounts/people/people.ts";
import { requestNewEmail, requestSignIn, signInLink } from "../../../src/accounts/sessions/sign-in-links.ts";
import { writeCounts } from "../../../src/accounts/usage/usage-counter.ts";
import { outboxState } from "../../../src/platform/mail/outbox.ts";
import { keepTables } from "../../../src/retention/upkeep.ts";
import type { Dispatcher } from "../../../src/webhooks/dispatch/dispatcher.ts";
import { closeAccount } from "../../../src/webhooks/endpoints/pause-or-delete.ts";
import { fanOut } from "../../../src/webhooks/queue/fan-out.ts";
import { queueState } from "../../../src/webhooks/queue/queue-state.ts";
import { setOwner } from "../../support/accounts.ts";
import { type Printed, runTdf } from "../../support/processes/command.ts";
import { changeRows, putRows, removeRows } from "../../support/rows.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { visitorOf } from "../../support/visitor.ts";
import {
  deliveryCounts,
  LOOPBACK_ENV,
  putManyEvents,
  quieten,
  startTestDispatcher,
  until,
  untilIdle,
} from "../../support/webhooks/dispatching.ts";
import { ASKED_ENDPOINT, registerEndpoint } from "../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../support/webhooks/receiver.ts";

let service: TestService;
/** A second process of the service. */
let other: TestService;
let receiver: Receiver;
let dispatcher: Dispatcher | null = null;

beforeAll(async () => {
  service = await startTestService({ env: LOOPBACK_ENV });
  const { databaseUrl } = service.context.config;
  other = await startTestService({ databaseUrl: databaseUrl ?? "", clock: service.clock });
  receiver = await startReceiver();
});
beforeEach(async () => {
  await quieten(service.context);
  receiver.received.length = 0;
  return async () => {
    await dispatcher?.stop();
    dispatcher = null;
  };
});
afterAll(async () => {
  await receiver.close();
  await other.stop();
  await service.stop();
});

const tdf = (...words: string[]): Promise<Printed> =>
  runTdf({ DATABASE_URL: service.context.config.databaseUrl ?? "", OPERATOR: "Olga" }, ...words);

async function json(...words: string[]) {
  const { out, err, status } = await tdf(...words, "--json");
  expect({ err, status }).toEqual({ err: "", status: 0 });
  return JSON.parse(out);
}

const customer = () =>
  service.createAccount({ feeds: { us_new_authority_weekly: null }, requestsPerMinute: 10_000 });

const suspend = (accountId: number) =>
  json("account", "suspend", String(accountId), "--reason", "The invoice of October is not paid.");

/** A session of an account's dashboard, by its cookie. */
async function signedIn(url: string): Promise<(path: string) => Promise<string>> {
  const answer = await fetch(url, { method: "POST", redirect: "manual" });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async (path) => {
    const page = await fetch(`${service.url}/dashboard${path}`, { headers: { cookie }, redirect: "manual" });
    return `${page.status} ${page.headers.get("location") ?? ""} ${await page.text()}`;
  };
}

const sent = () => changeRows(service.context.db.pool, "mail_outbox", { sent_at: service.clock.now() });

/** The addresses of this test's mails. */
async function recipients(): Promise<string[]> {
  const mails = await service.context.db.prisma.mailOutbox.findMany({
    where: { recipient: { endsWith: "@erased.example" } },
    distinct: "recipient",
  });
  return mails.map(({ recipient }) => recipient).sort();
}

const here = (url: string): string => service.url + new URL(url).pathname;

/** How many connections wait for a row that another one has locked. */
async function lockWaits(pool: { query: (text: string) => Promise<{ rowCount: number | null }> }) {
  const { rowCount } = await pool.query(
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  return rowCount;
}

const CLOSED = "The account is closed, so nothing was changed.";

describe("a suspended account", () => {
  it("is refused at once by every process, with the reason, until it is resumed", async () => {
    const { accountId, key } = await customer();
    const processes = [service, other];
    for (const each of processes) expect((await each.get("/v1/feeds", key)).status).toBe(200);
    await suspend(accountId);
    for (const each of processes) {
      const refused = await each.get("/v1/feeds", key);
      expect(refused.status).toBe(403);
      expect(refused.headers.get("x-ratelimit-limit")).toBe("10000");
      expect(await refused.json()).toMatchObject({
        code: "account_suspended",
        detail: "This account is suspended: The invoice of October is not paid.",
      });
    }
    const { accountId: stranger, key: strangersKey } = await customer();
    expect(stranger).not.toBe(accountId);
    expect((await service.get("/v1/feeds", strangersKey)).status).toBe(200);
    await json("account", "resume", String(accountId));
    for (const each of processes) expect((await each.get("/v1/feeds", key)).status).toBe(200);
  });

  it("is not charged for rows of a repeated page", async () => {
    const { accountId, key } = await customer();
    const first = await admit(service.context, key);
    if (!("snapshot" in first)) throw new Error(first.outcome);
    await suspend(accountId);
    const knownRows = { rows: 5, snapshot: first.snapshot };
    expect(await admit(service.context, key, { knownRows })).toMatchObject({
      isCharged: false,
      quota: { used: 0 },
      caller: { suspension: "The invoice of October is not paid." },
    });
  });

  it("sees why in the dashboard, and nothing else but its usage", async () => {
    const { accountId } = await customer();
    const page = await signedIn(here(await signInLink(service.context, accountId)));
    expect(await page("/keys")).toMatch(/^200/);
    await suspend(accountId);
    expect(await page("/")).toMatch(/^200.*The account is suspended: The invoice of October is not paid\./s);
    for (const path of ["/usage", "/usage/"]) expect(await page(path)).toMatch(/^200/);
    for (const path of ["/keys", "/feeds", "/feeds/us_brokers/export.csv", "/webhooks"]) {
      expect(await page(path)).toMatch(/^403.*The invoice of October is not paid\./s);
    }
  });

  it("has deliveries that wait, also new ones, and are each sent once after it is resumed", async () => {
    const { accountId } = await customer();
    const running = await customer();
    for (const id of [accountId, running.accountId]) {
      await registerEndpoint(service.context, id, { url: `${receiver.url}/${id}` });
    }
    const arrived = (id: number) => receiver.received.filter(({ path }) => path === `/${id}`).length;
    dispatcher = startTestDispatcher(service.context);
    await putManyEvents(service.context, 400);
    await fanOut(service.context);
    await until(() => arrived(accountId) >= 20);
    await suspend(accountId);
    const committedAt = service.clock.now();
    service.clock.advance(1_000);
    await putManyEvents(service.context, 10, { usdot: 6_000_000 });
    await fanOut(service.context);
    await until(async () => {
      const { delivered } = await deliveryCounts(service.context);
      return arrived(running.accountId) === 410 && delivered === receiver.received.length;
    });
    const { rows } = await service.context.db.pool.query<{ late: number }>(
      `SELECT count(*)::int AS late FROM webhook_result JOIN webhook_delivery AS delivery ON delivery.id = delivery_id
       WHERE account_id = $1 AND started_at > $2`,
      [accountId, committedAt],
    );
    expect(rows).toEqual([{ late: 0 }]);
    const waiting = 410 - arrived(accountId);
    expect(waiting).toBeGreaterThanOrEqual(10);
    expect(await deliveryCounts(service.context)).toEqual({ delivered: 820 - waiting, queued: waiting });
    // No alarm for a queue that waits by intention.
    service.clock.advance(3_600_000);
    expect(await queueState(service.context)).toMatchObject({ oldest_due_seconds: null });
    await json("account", "resume", String(accountId));
    await untilIdle(service.context);
    expect(arrived(accountId)).toBe(410);
    expect(await deliveryCounts(service.context)).toEqual({ delivered: 820 });
  });
});

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
  it.each(["--keep-data", "--erase-data"])("has no keys, sessions or endpoints, with %s", async (option) => {
    const { accountId, key, licenceRef } = await customer();
    await registerEndpoint(service.context, accountId, { url: `${receiver.url}/in` });
    await service.get("/v1/feeds", key);
    const page = await signedIn(here(await signInLink(service.context, accountId)));
    await putManyEvents(service.context, 3);
    await fanOut(service.context);
    const erased = option === "--erase-data";
    expect(await json("account", "close", String(accountId), option)).toEqual({
      id: accountId,
      keys: 1,
      endpoints: 1,
      erased,
    });
    expect((await service.get("/v1/feeds", key)).status).toBe(401);
    expect(await page("/")).toMatch(/^303 .*sign-in/);
    expect(await deliveryCounts(service.context)).toEqual({ cancelled: 3 });
    const [account] = (await json("account", "list")).filter(({ id }: { id: number }) => id === accountId);
    expect(account).toMatchObject({
      licence_ref: licenceRef,
      name: erased ? "Closed account" : "Ada Freight",
      email: erased ? "" : "ada@freight.example",
      closed_at: expect.any(String),
    });
    expect(await json("key", "list", "--account", String(accountId))).toHaveLength(erased ? 0 : 1);
    for (const words of [
      ["key", "create", "--account", String(accountId)],
      ["account", "resume", String(accountId)],
      ["account", "set-plan", String(accountId), account.plan],
      ["account", "sign-in-link", String(accountId)],
      ["account", "close", String(accountId), option],
    ]) {
      expect(await tdf(...words)).toMatchObject({ status: 2, err: expect.stringMatching(/clos|no open/) });
    }
  });

  it.each([false, true])(
    "loses its usage for good when its data are erased (%s), also what was not written yet",
    async (erases) => {
      const { accountId, key } = await customer();
      await service.get("/v1/feeds", key);
      await closeAccount(service.context, accountId, { erases });
      await writeCounts(service.context);
      for (const table of ["usage_day", "usage_month"]) {
        const { rowCount } = await service.context.db.pool.query(
          `SELECT FROM ${table} WHERE account_id = $1`,
          [accountId],
        );
        expect(rowCount).toBe(erases ? 0 : 1);
      }
    },
  );

  it("leaves nothing of what it did when its data are erased, but what goes with its endpoints", async () => {
    const { accountId, key, keyId, planCode } = await customer();
    const { pool } = service.context.db;
    const headers = { "Idempotency-Key": randomUUID() };
    await service.send("POST", "/v1/webhooks", { key, headers, body: ASKED_ENDPOINT });
    await service.send("POST", "/v1/watchlists", { key, body: { name: "Clients" } });
    await signedIn(here(await signInLink(service.context, accountId)));
    await writeCounts(service.context);
    const [account_id, day, month] = [accountId, "2026-11-21", "2026-11-01"];
    await putRows(pool, "preview_day", { account_id, day, used: 1 });
    await putRows(pool, "export_charge", { account_id, month, content: "c", charged_rows: 1 });
    await putRows(pool, "export_slot", {
      account_id,
      key_id: keyId,
      slot: 1,
      run_id: randomUUID(),
      content: "c",
      lease_until: service.clock.now(),
    });
    await putRows(pool, "connection_charge", { account_id, month, usdot: 101 });
    await putRows(pool, "watched_carrier", { account_id, month, usdot: 101 });
    await putRows(pool, "watched_month", { account_id, month });
    await putRows(pool, "account_plan_change", { account_id, plan_code: planCode, changed_at: new Date(0) });
    const { rows } = await pool.query<{ table: string }>(
      `SELECT DISTINCT table_name AS "table" FROM information_schema.columns JOIN information_schema.tables
         USING (table_schema, table_name)
       WHERE column_name = 'account_id' AND table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const tablesWithRows = async (): Promise<string[]> => {
      const found = rows.map(async ({ table }) => {
        const { rowCount } = await pool.query(`SELECT FROM ${table} WHERE account_id = $1`, [accountId]);
        return rowCount ? [table] : [];
      });
      return (await Promise.all(found)).flat().sort();
    };
    expect(await tablesWithRows()).toEqual(expect.arrayContaining(["account_log", "idempotent_answer"]));
    await closeAccount(service.context, accountId, { erases: true });
    expect(await tablesWithRows()).toEqual(["connection_charge", "webhook_endpoint"]);
    service.clock.advance(86_400_001);
    await keepTables(service.context);
    expect(await tablesWithRows()).toEqual(["webhook_endpoint"]);
  });

  it("loses what was being counted when its data are erased", async () => {
    const { accountId } = await customer();
    const { db } = service.context;
    const day = { account_id: accountId, day: "2026-11-20", key_id: "late", api_requests: 1 };
    const closing = await db.bulkTransaction(async (client) => {
      await putRows(client, "usage_day", day);
      const closed = closeAccount(service.context, accountId, { erases: true });
      await expect.poll(() => lockWaits(db.bulkPool), { timeout: 20_000 }).toBe(1);
      return { closed };
    });
    await closing.closed;
    const left = await db.pool.query("SELECT FROM usage_day WHERE account_id = $1", [accountId]);
    expect(left.rowCount).toBe(0);
  });

  // What was admitted before waits for the account, and would have been made after its end: a key that works for ever.
  it("gets nothing more from requests that were under way when it was closed", async () => {
    const { accountId } = await customer();
    const { key } = await service.createKey(accountId, { scopes: ["keys:write", ...USUAL_SCOPES] });
    const owner = await visitorOf(service, accountId);
    const { db } = service.context;
    const isWaiting = (most: number) =>
      expect.poll(() => lockWaits(db.bulkPool), { timeout: 20_000 }).toBe(most);
    const answers = await db.bulkTransaction(async (client) => {
      await lockAccount(client, accountId);
      const closing = closeAccount(other.context, accountId, { erases: false });
      await isWaiting(1);
      const url = "https://hooks.example.com/late";
      const late = [
        service.send("POST", "/v1/keys", { key, body: { name: "late" } }),
        service.send("POST", "/v1/watchlists", { key, body: { name: "late" } }),
        service.send("POST", "/v1/webhooks", { key, body: { url, event_types: ["new_authority_granted"] } }),
      ];
      await isWaiting(1 + late.length);
      const typed = owner.send("/keys", { name: "late", scopes: "feeds:read" });
      await isWaiting(2 + late.length);
      return { closing, late, typed };
    });
    await answers.closing;
    for (const answer of await Promise.all(answers.late)) {
      expect([answer.status, await answer.json()]).toEqual([
        401,
        expect.objectContaining({ code: "revoked_api_key", detail: CLOSED }),
      ]);
    }
    expect((await answers.typed).text).toContain(CLOSED);
    const where = { accountId };
    expect(await db.prisma.apiKey.count({ where: { ...where, revokedAt: null } })).toBe(0);
    expect(await db.prisma.webhookEndpoint.count({ where })).toBe(0);
    expect(await db.prisma.watchlist.count({ where })).toBe(0);
  });

  it("has no session, also by a link whose button was pressed while it was closed", async () => {
    const { accountId } = await customer();
    const page = await signedIn(here(await signInLink(service.context, accountId)));
    const [person] = await listPeople(service.context, accountId);
    const found = await service.context.db.pool.query(
      "SELECT * FROM dashboard_session WHERE person_id = $1",
      [person?.id],
    );
    await closeAccount(service.context, accountId, { erases: false });
    await putRows(service.context.db.pool, "dashboard_session", found.rows[0]);
    expect(await page("/keys")).toMatch(/^303 .*sign-in/);
  });

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

  it("can be erased later when its data were kept", async () => {
    const { accountId } = await customer();
    const id = String(accountId);
    await json("account", "close", id, "--keep-data");
    expect(await json("account", "close", id, "--erase-data")).toEqual({
      id: accountId,
      keys: 0,
      endpoints: 0,
      erased: true,
    });
    const [account] = (await json("account", "list")).filter(({ id }: { id: number }) => id === accountId);
    expect(account).toMatchObject({ name: "Closed account", email: "" });
    expect(await json("key", "list", "--account", id)).toEqual([]);
    expect((await tdf("account", "close", id, "--erase-data")).status).toBe(2);
  });

  it("is closed only with a word on its data", async () => {
    const { accountId } = await customer();
    const { err } = await tdf("account", "close", String(accountId));
    expect(err).toBe("Give --keep-data or --erase-data.\n");
    expect(await tdf("account", "close", String(accountId), "--keep-data", "--erase-data")).toMatchObject({
      status: 2,
      err: "Give --keep-data or --erase-data, not both.\n",
    });
  });
});

it("an endpoint that an operator paused is enabled by operators alone, and its customer is told", async () => {
  const { accountId, key } = await customer();
  const { id } = await registerEndpoint(service.context, accountId, { url: `${receiver.url}/in` });
  const path = `/v1/webhooks/${id}`;
  await service.send("DELETE", path, { key });
  await json("webhook", "pause", String(id));
  expect(await (await service.get(path, key)).json()).toMatchObject({
    active: false,
    disabled_reason: "paused_by_operator",
  });
  const refused = await service.send("PATCH", path, { key, body: { active: true } });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    403,
    "paused_by_operator",
  ]);
  const page = await signedIn(here(await signInLink(service.context, accountId)));
  expect(await page(`/webhooks/${id}`)).toMatch(/paused by the operator of this service/);
  await json("webhook", "enable", String(id));
  expect(await (await service.get(path, key)).json()).toMatchObject({ active: true, disabled_reason: null });
  expect((await tdf("webhook", "pause", "999999")).status).toBe(2);
});

it("a person is an owner, a member or a reader of the account, as the command says", async () => {
  const { accountId } = await customer();
  const named = (what: string, role: string) =>
    tdf("account", "person", what, String(accountId), "--email", "mia@freight.example", "--role", role);
  expect((await named("add", "owner")).out).toBe(`The person is an owner of account ${accountId}.\n`);
  expect((await named("role", "member")).out).toBe(`The person is a member of account ${accountId} now.\n`);
  expect((await named("role", "owner")).out).toBe(`The person is an owner of account ${accountId} now.\n`);
});

it("the log names who did what and how it ended, no person, and nobody can rewrite it", async () => {
  const { accountId } = await customer();
  await json("account", "rename", String(accountId), "--name", "Bea Freight");
  await tdf("account", "set-plan", String(accountId), "no-such-plan");
  const [failed, renamed] = await json("log", "--limit", "2");
  expect(renamed).toMatchObject({
    operator: "Olga",
    command: "account rename",
    words: [String(accountId), "--name", "…"],
    outcome: "done",
    failure: null,
  });
  expect(failed).toMatchObject({
    command: "account set-plan",
    words: [String(accountId), "no-such-plan"],
    outcome: "failed",
    failure: expect.stringContaining("There is no plan"),
  });
  expect((await tdf("log")).out).toMatch(/Olga +account rename \d+ --name … +done/);
  const { pool } = service.context.db;
  await expect(pool.query("DELETE FROM operator_log")).rejects.toThrow("only added");
  await expect(pool.query("UPDATE operator_log SET operator = 'nobody'")).rejects.toThrow("only added");
});
