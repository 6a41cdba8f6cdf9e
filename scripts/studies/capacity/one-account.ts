import pg from "pg";
import * as sql from "../../../src/generated/sql/accounts/usage.ts";
import { monthStartOf, systemClock } from "../../../src/platform/clock.ts";
import { processMs } from "../../bench/programs/processor-time.ts";
import { servedFeeds } from "../../bench/setup/served.ts";
import type { Work } from "./work.ts";

/** As many processes that charge the same account at once. */
const PROCESSES = 16;

/** The charges of one account wait for each other: its row of the month is locked until the charge is committed. */
export const chargesOfOneAccount: Work = {
  name: "charge-one-account",
  what: "charges of one account's month by 16 connections at once, nothing else; requests of a moment share one",
  unit: "statement",
  process: "bench",
  open: async (bench) => {
    const { databaseUrl, customer } = await servedFeeds(bench);
    const clients = Array.from({ length: PROCESSES }, () => new pg.Client({ connectionString: databaseUrl }));
    await Promise.all(clients.map((client) => client.connect()));
    bench.ending.defer(async () => {
      await Promise.all(clients.map((client) => client.end()));
    });
    const params = {
      accountId: customer.accountId,
      month: monthStartOf(systemClock.now()),
      apiRows: 100,
      exportRows: 0,
      limit: 1_000_000_000_000,
    };
    const { warmMs, runMs } = bench.sizes;
    const chargeFor = async (ms: number): Promise<number> => {
      const startedAt = performance.now();
      let units = 0;
      const keepCharging = async (client: pg.Client) => {
        while (performance.now() - startedAt < ms) {
          await sql.charge(client as unknown as pg.PoolClient, params);
          units += 1;
        }
      };
      await Promise.all(clients.map(keepCharging));
      return units;
    };
    return async (meter) => {
      await chargeFor(warmMs);
      return meter(
        () => processMs(process.pid),
        async () => ({ units: await chargeFor(runMs) }),
      );
    };
  },
};
