import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/platform/clock.ts";
import type { Context } from "../../../src/platform/context.ts";
import { openAccount } from "../../support/accounts.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { cuttableWayTo } from "../../support/network/tcp-proxy.ts";
import { MAIN, runTdf } from "../../support/processes/command.ts";
import { dispatchingEnv } from "../../support/processes/dispatcher-processes.ts";
import { startTdf } from "../../support/processes/tdf-process.ts";
import { deliveryCounts, putManyEvents, until } from "../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import { quickAtFirst, type Receiver, startReceiver } from "../../support/webhooks/receiver.ts";

let database: TestDatabase;
let context: Context;
let receiver: Receiver;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, systemClock);
  receiver = await startReceiver();
  // The receiver is on this machine, which default settings do not allow.
  const opened = { ...context, config: { ...context.config, webhookAllowedCidrs: ["127.0.0.0/8"] } };
  const { accountId } = await openAccount(context, { feeds: { us_new_authority_weekly: null } });
  await registerEndpoint(opened, accountId, { url: receiver.url });
});

afterAll(async () => {
  await receiver.close();
  await context.db.close();
  await database.drop();
});

const env = (): NodeJS.ProcessEnv => ({ ...dispatchingEnv(database.url), LOG_LEVEL: "info" });

const dispatch = (): ChildProcess =>
  spawn(process.execPath, [MAIN, "dispatch"], { env: env(), stdio: ["ignore", "pipe", "pipe"] });

describe("dispatch", () => {
  it("delivers, and exits on SIGTERM with 0 once deliveries in flight are recorded", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.answerWith(
      quickAtFirst(async () => {
        await released;
        return 200;
      }),
    );
    const child = dispatch();
    const printed = text(child.stderr as NonNullable<typeof child.stderr>);
    await putManyEvents(context, 8);
    await receiver.arrival(6);
    child.kill("SIGTERM");
    release();
    // A statement that was under way has no end: then the process ends without it, with 1.
    const [status] = await once(child, "exit");
    expect([0, 1]).toContain(status);
    expect(await printed).toMatch(/"Dispatching\.".*"Stopping\."/s);
    const { delivered = 0, queued = 0 } = await deliveryCounts(context);
    expect(delivered).toBeGreaterThanOrEqual(6);
    expect(delivered).toBe(receiver.received.length);
    expect(delivered + queued).toBe(8);
  });

  // The machine's answer to the end of a connection never comes either.
  it("ends on SIGTERM while the database's machine is silent", async () => {
    const way = await cuttableWayTo(database.url);
    const child = spawn(process.execPath, [MAIN, "dispatch"], {
      env: { ...env(), DATABASE_URL: way.url },
      stdio: ["ignore", "ignore", "pipe"],
    });
    for await (const chunk of child.stderr.iterator({ destroyOnReturn: false }))
      if (String(chunk).includes('"Dispatching."')) break;
    child.stderr.resume();
    way.silence();
    child.kill("SIGTERM");
    // A statement that was under way has no end: then the process ends without it, with 1.
    const [status] = await once(child, "exit");
    expect([0, 1]).toContain(status);
    await way.close();
  });

  it("continues after another one was stopped, and status shows the queue", async () => {
    const before = receiver.received.length;
    const status = async () => JSON.parse((await runTdf(env(), "status", "--json")).out);
    const { deliveries } = await status();
    expect(deliveries).toMatchObject({ queued: 8 - before, due: 8 - before, sending: 0, failed_last_day: 0 });
    const dispatching = await startTdf("dispatch", "Dispatching.", env());
    await until(async () => (await deliveryCounts(context)).delivered === 8);
    expect(await dispatching.stop("SIGINT")).toBe(0);
    expect(receiver.received).toHaveLength(8);
    expect((await status()).deliveries).toEqual({
      queued: 0,
      due: 0,
      sending: 0,
      oldest_due_seconds: null,
      failed_last_day: 0,
      cancelled_last_day: 0,
    });
  });

  it("refuses to start without SECRETS_KEY", async () => {
    const { err, status } = await runTdf({ ...env(), SECRETS_KEY: "" }, "dispatch");
    expect({ err, status }).toEqual({ err: expect.stringContaining("SECRETS_KEY is not set"), status: 2 });
  });
});
