import pg from "pg";
import type { Bench } from "../../bench/frame/bench.ts";
import { familyMs, postmasterOf, processMs } from "../../bench/programs/processor-time.ts";
import type { Meter } from "./work.ts";

/** A meter on the run's PostgreSQL and on any process of the program. */
export async function openMeter(bench: Bench): Promise<Meter> {
  const client = new pg.Client({ connectionString: bench.server.url });
  await client.connect();
  bench.ending.defer(() => client.end());
  const postmaster = await postmasterOf(client);
  if (postmaster === null) bench.say("  PostgreSQL runs elsewhere: its processor time can't be measured");
  const postgresMs = () => (postmaster === null ? null : familyMs(postmaster));
  return async (program, run) => {
    const programMs = typeof program === "number" ? () => processMs(program) : program;
    const walBefore = await walBytes(client);
    const before = { program: await programMs(), postgres: await postgresMs() };
    const startedAt = performance.now();
    const { units, sentBytes = null } = await run();
    const seconds = (performance.now() - startedAt) / 1000;
    const after = { program: await programMs(), postgres: await postgresMs() };
    return {
      units,
      seconds,
      programMs: after.program - before.program,
      postgresMs:
        after.postgres === null || before.postgres === null ? null : after.postgres - before.postgres,
      walBytes: (await walBytes(client)) - walBefore,
      sentBytes,
    };
  };
}

async function walBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes",
  );
  return rows[0]?.bytes ?? 0;
}
