import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "@trucking-data-feed/registry-generator/random";
import pg from "pg";
import { expect } from "vitest";
import { systemClock } from "../../../src/platform/clock.ts";
import type { PostgresServer } from "../../support/database/postgres-servers.ts";
import { until } from "../../support/webhooks/dispatching.ts";
import { startLoad } from "./load.ts";
import { startReplicatedServices } from "./services.ts";
import { createTruth, type Truth } from "./truth.ts";
import { countsOf, judgeLosses, judgeQuota, refusedSeconds } from "./verdict.ts";
import { steadyEvents, steadyRemovals } from "./writers.ts";

const PER_SECOND = 200;
/** How long a failover needs to notice that the primary is gone; the service can't help it. */
const NOTICE_MS = 1_000;

const seconds = (ms: number): number => Math.round(ms / 10) / 100;

/**
 * Under load one standby lags, the other hangs and dies, and the primary is lost. No answer is wrong, and nothing that was
 * confirmed is lost, except by asynchronous replication.
 */
export async function expectSafeFailover({ isSynchronous }: { isSynchronous: boolean }): Promise<void> {
  const said = [`${isSynchronous ? "Synchronous" : "Asynchronous"} replication`];
  const ends: (() => unknown)[] = [];
  try {
    const services = await startReplicatedServices({ isSynchronous }, ends);
    const { primary, standbys, way, context, processes, urls, key, importDay } = services;
    const [lagging, dying] = standbys;
    const truth = createTruth();
    await truth.learn(primary.url);
    const { rows } = await context.db.pool.query<{ id: number }>(
      "SELECT coalesce(max(id), 0) AS id FROM event",
    );
    const firstEvent = rows[0]?.id ?? 0;

    const begunMs = performance.now();
    const say = (line: string) => said.push(`${seconds(performance.now() - begunMs)} s: ${line}`);
    const random = createRandom(17, 0, 0);
    const since = new Date(systemClock.now().getTime() - 1);
    const load = startLoad({ urls, key, truth, random, perSecond: PER_SECOND, since });
    ends.push(() => load.stop());
    const events = steadyEvents(context);
    const removals = steadyRemovals(urls, truth, random);

    await delay(3_000);
    await lagging.run("ALTER SYSTEM SET recovery_min_apply_delay = '10s'", "SELECT pg_reload_conf()");
    say("a standby lags by 10 s; a day is imported");
    await events.during(() => importDay(1));
    await truth.learn(primary.url);
    say("the day is imported");
    await delay(12_000);
    await lagging.run("ALTER SYSTEM RESET recovery_min_apply_delay", "SELECT pg_reload_conf()");

    const hangsAtMs = performance.now();
    await dying.freeze();
    say("a standby hangs");
    await delay(4_000);
    await dying.thaw();
    await delay(2_000);
    await dying.kill();
    say("it is killed");
    await delay(6_000);
    await dying.start();
    say("it runs again");
    await delay(5_000);

    const lostAtMs = performance.now();
    const sinceLoss = () => `${Math.round(performance.now() - lostAtMs)} ms after the loss`;
    await primary.kill();
    say("the primary is killed");
    await delay(NOTICE_MS);
    const next = await mostAdvanced(standbys);
    await next.run("SELECT pg_promote()");
    if (!isSynchronous) await forgetLost(next, truth);
    const promotedAtMs = performance.now();
    await way.leadTo(next.url);
    say(`a standby is promoted, ${sinceLoss()}`);
    await until(async () => (await followersOf(next)) > 0);
    say(`the other standby follows it, ${sinceLoss()}`);
    await delay(8_000);
    say("a day is imported");
    await events.during(() => importDay(2));
    await truth.learn(next.url);
    await delay(5_000);

    const confirmed = { events: await events.stop(), removals: await removals.stop() };
    await load.stop();
    const overAtMs = performance.now();
    say("the load ends");
    await load.catchUp();
    const losses = await judgeLosses(services, load, confirmed, firstEvent);
    const quota = await judgeQuota(services, load, { fromMs: lostAtMs, untilMs: lostAtMs + NOTICE_MS });
    const refused = {
      lag: refusedSeconds(load.answers, 0, hangsAtMs),
      standby: refusedSeconds(load.answers, hangsAtMs, lostAtMs),
      primary: refusedSeconds(load.answers, lostAtMs, promotedAtMs),
      next: refusedSeconds(load.answers, promotedAtMs, overAtMs),
    };
    const { deliveries, lostDeliveries, lostEvents, lostRemovals } = losses;
    said.push(
      `${load.answers.length} answers, ${Math.round(load.answers.length / seconds(overAtMs - begunMs))} a second: ${countsOf(load.answers)}`,
      `503 for ${refused.lag} s while a standby lagged, ${refused.standby} s while the other hung and was down, ` +
        `${refused.primary} s from the loss of the primary to the promotion, ${refused.next} s after it`,
      `rows delivered ${quota.delivered}, charged ${quota.charged}: ${Math.max(0, quota.notCharged)} lost of ${quota.atRisk} at risk`,
      `events inserted ${confirmed.events.length}, lost ${lostEvents.length}`,
      `deliveries ${deliveries}, lost ${lostDeliveries.length}, received again ${losses.receivedAgain}`,
      `removals ${confirmed.removals.length}, lost ${lostRemovals.length}`,
      ...[...load.faults].map(([fault, times]) => `${times} × ${fault}`),
    );

    expect([...load.faults.keys()]).toEqual([]);
    // A machine that is too small for the load also refuses some while it imports.
    expect(refused.standby).toBe(0);
    expect(refused.primary + refused.next).toBeLessThanOrEqual(5);
    expect(quota.notCharged).toBeLessThanOrEqual(quota.atRisk);
    expect(losses).toMatchObject({ lostDeliveries: [], neverQueued: [] });
    expect(losses.missed).toEqual(urls.map(() => 0));
    expect(losses.disordered).toEqual(urls.map(() => 0));
    expect(processes.map((each) => each.exitCode())).toEqual(processes.map(() => null));
    if (isSynchronous) expect(losses).toMatchObject({ lostEvents: [], lostRemovals: [] });
  } finally {
    console.log(said.join("\n  "));
    for (const end of ends.reverse()) await end();
  }
}

/** Asynchronous replication may lose what was confirmed in the last moments. */
async function forgetLost(promoted: PostgresServer, truth: Truth): Promise<void> {
  const client = new pg.Client({ connectionString: promoted.url });
  await client.connect();
  const { rows } = await client.query<{ usdot: string }>("SELECT usdot::text FROM suppressed_business");
  await client.end();
  const kept = new Set(rows.map(({ usdot }) => usdot));
  for (const usdot of truth.confirmed().keys()) if (!kept.has(usdot)) truth.forget(usdot);
}

/** The standby that received most of the lost primary's log. */
async function mostAdvanced(standbys: readonly PostgresServer[]): Promise<PostgresServer> {
  const ahead = await Promise.all(
    standbys.map(async (standby) => {
      const [row] = await standby.run("SELECT pg_last_wal_receive_lsn() - '0/0'::pg_lsn AS bytes");
      return { standby, bytes: Number(row?.bytes) };
    }),
  );
  ahead.sort((left, right) => right.bytes - left.bytes);
  return (ahead[0] as (typeof ahead)[number]).standby;
}

async function followersOf(server: PostgresServer): Promise<number> {
  const [row] = await server.run(
    "SELECT count(*)::int AS count FROM pg_stat_replication WHERE state = 'streaming'",
  );
  return Number(row?.count);
}
