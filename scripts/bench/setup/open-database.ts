import { configFrom } from "../../../src/platform/config/config.ts";
import type { Context } from "../../../src/platform/context.ts";
import { openContext } from "../../../src/platform/opening/open-context.ts";
import type { Bench } from "../frame/bench.ts";
import { environmentFor } from "../programs/program.ts";

/** Runs program code on a database in this process: for setting up, never for measuring. */
export async function onDatabase<T>(
  bench: Bench,
  databaseUrl: string,
  run: (context: Context) => Promise<T>,
): Promise<T> {
  const config = configFrom({ ...environmentFor(bench, databaseUrl), LOG_LEVEL: "warn" });
  const { context, close } = await openContext(config);
  try {
    return await run(context);
  } finally {
    await close();
  }
}
