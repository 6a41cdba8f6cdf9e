import { configFrom, readEnvironment } from "../platform/config/config.ts";
import type { EntryContext } from "../platform/context.ts";
import { openContext, TOLD_SOON } from "../platform/open-context.ts";

/** Runs a command over an opened context and closes it whatever happens. */
export async function withContext(run: (context: EntryContext) => Promise<void>): Promise<void> {
  const config = configFrom(readEnvironment());
  const { context, close } = await openContext(
    { ...config, logLevel: quieter(config.logLevel) },
    {},
    TOLD_SOON,
  );
  try {
    await run(context);
  } finally {
    await close();
  }
}

// A command's own output is what its user wants to read; only warnings are worth a log line beside it.
const quieter = <Level extends string>(level: Level): Level | "warn" => (level === "info" ? "warn" : level);
