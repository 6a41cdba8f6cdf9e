import { configFrom, readEnvironment } from "../platform/config/config.ts";
import type { EntryContext } from "../platform/context.ts";
import { type OpenOptions, openContext, SHORT_WAIT } from "../platform/open-context.ts";

/** Opens a context, runs a command with it, and always closes it. */
export async function withContext(
  run: (context: EntryContext) => Promise<void>,
  options: OpenOptions = {},
): Promise<void> {
  const config = configFrom(readEnvironment());
  const { context, close } = await openContext(
    { ...config, logLevel: quieter(config.logLevel) },
    {},
    { ...SHORT_WAIT, ...options },
  );
  try {
    await run(context);
  } finally {
    await close();
  }
}

// The user wants to read the command's output. The log adds only warnings.
const quieter = <Level extends string>(level: Level): Level | "warn" => (level === "info" ? "warn" : level);
