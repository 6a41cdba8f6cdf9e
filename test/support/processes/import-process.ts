// One import in a separate process, for stories that kill it: like `tdf import`, but with a clock that shows a fixed
// time. Arguments: database address, folder, time. Prints a line when it begins; a refusal goes to standard error.
import { importFolder } from "../../../src/importer/import.ts";
import { configFrom } from "../../../src/platform/config/config.ts";
import { openContext } from "../../../src/platform/opening/open-context.ts";
import { OperatorError } from "../../../src/platform/operator-error.ts";
import { settableClock } from "../clock.ts";

const [, , databaseUrl = "", dir = "", now = ""] = process.argv;
const config = configFrom({ DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" });
const { context, close } = await openContext(config, { clock: settableClock(now) });
try {
  process.stdout.write("begins\n");
  await importFolder(context, { dir, asOf: null, accept: new Set() });
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 1;
} finally {
  await close();
}
