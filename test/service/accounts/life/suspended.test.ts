import { describe, expect, it, onTestFinished } from "vitest";
import { admit } from "../../../../src/accounts/keys/admission.ts";
import { signInLink } from "../../../../src/accounts/sessions/sign-in-links.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { queueState } from "../../../../src/webhooks/queue/queue-state.ts";
import {
  deliveryCounts,
  putManyEvents,
  startTestDispatcher,
  until,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import {
  customer,
  here,
  json,
  other,
  receiver,
  service,
  signedIn,
  suspend,
  tdf,
  useTwoProcesses,
} from "./two-processes.ts";

useTwoProcesses();

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
    const overview = await page("/");
    expect(overview).toMatch(/^200.*The account is suspended: The invoice of October is not paid\./s);
    expect(overview).not.toMatch(/Start here|Next step|Register one/);
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
    onTestFinished(startTestDispatcher(service.context).stop);
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
