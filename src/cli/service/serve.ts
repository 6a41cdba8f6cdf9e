import { Command } from "commander";
import { configFrom, readEnvironment } from "../../platform/config/config.ts";
import { type OpenContext, openContext } from "../../platform/opening/open-context.ts";
import { applyShippedPlansOnce } from "../accounts/plan.ts";
import { withPortChosen } from "./admin.ts";
import { runService } from "./service.ts";
import { STOP_NOTICE_MS } from "./stop-signal.ts";

export function serveCommand(): Command {
  return new Command("serve")
    .description("Run the API alone; several such processes may share one database")
    .action(async () => {
      const opened = await openContext(configFrom(readEnvironment()));
      const service = await prepared(opened).catch(async (error) => {
        await opened.close();
        throw error;
      });
      await runService(service, {
        onReady: () => {},
        noticeMs: STOP_NOTICE_MS,
        startDispatcher: null,
      });
    });
}

async function prepared(opened: OpenContext): Promise<OpenContext> {
  await applyShippedPlansOnce(opened.context);
  return withPortChosen(opened);
}
