import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { lockAccount } from "../../../../src/accounts/accounts.ts";
import { USUAL_SCOPES } from "../../../../src/accounts/keys/grant.ts";
import { listPeople } from "../../../../src/accounts/people/people.ts";
import { signInLink } from "../../../../src/accounts/sessions/sign-in-links.ts";
import { writeCounts } from "../../../../src/accounts/usage/usage-counter.ts";
import { keepTables } from "../../../../src/retention/upkeep.ts";
import { closeAccount } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { putRows } from "../../../support/rows.ts";
import { visitorOf } from "../../../support/visitor.ts";
import { deliveryCounts, putManyEvents } from "../../../support/webhooks/dispatching.ts";
import { ASKED_ENDPOINT, registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import {
  CLOSED,
  customer,
  here,
  json,
  lockWaits,
  other,
  receiver,
  service,
  signedIn,
  tdf,
  useTwoProcesses,
} from "./two-processes.ts";

useTwoProcesses();

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
