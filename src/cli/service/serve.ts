import { Command } from "commander";
import { configFrom, readEnvironment } from "../../platform/config/config.ts";
import { openContext } from "../../platform/opening/open-context.ts";
import { applyShippedPlansOnce } from "../accounts/plan.ts";
import { runService } from "./service.ts";

export function serveCommand(): Command {
  return new Command("serve")
    .description("Run the API alone; several such processes may share one database")
    .action(async () => {
      const opened = await openContext(configFrom(readEnvironment()));
      await applyShippedPlansOnce(opened.context).catch(async (error) => {
        await opened.close();
        throw error;
      });
      await runService(opened, { onReady: () => {}, noticeMs: 1_000, startDispatcher: null });
    });
}
