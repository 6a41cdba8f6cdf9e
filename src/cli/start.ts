import { Command } from "commander";
import { configFrom, readEnvironment } from "../platform/config.ts";
import { openContext } from "../platform/open-context.ts";
import { bringDemoUpToToday, canHoldDemo, demoKey } from "./demo.ts";
import { applyShippedPlansOnce } from "./first-plans.ts";
import { runService } from "./service.ts";

export function startCommand(): Command {
  return new Command("start")
    .description(
      "Run the whole service in one process, with a PostgreSQL of its own unless DATABASE_URL names one",
    )
    .option("--demo", "put the demo registry into a named database too, if nothing was imported into it yet")
    .action(async (flags: { demo?: boolean }) => {
      const config = configFrom(readEnvironment());
      const say = (line: string) => process.stdout.write(`${line}\n`);
      const opened = await openContext({
        ...config,
        logLevel: config.logLevel === "info" ? "warn" : config.logLevel,
      });
      const { context } = opened;
      let key: string | null = null;
      try {
        await applyShippedPlansOnce(context);
        if ((config.databaseUrl === null || flags.demo) && (await canHoldDemo(context))) {
          await bringDemoUpToToday(context, say);
          key = await demoKey(context);
        }
      } catch (error) {
        await opened.close();
        throw error;
      }
      await runService(opened, {
        onReady: (url) => {
          for (const line of welcome(url, key)) say(line);
        },
        // No balancer watches a service that stands alone: it may stop at once.
        noticeMs: 0,
      });
    });
}

function welcome(url: string, key: string | null): string[] {
  const lines = ["", `Trucking Data Feed is at ${url}`, `  documentation   ${url}/docs`];
  if (key === null)
    return [
      ...lines,
      "  No key yet: `npm run -s tdf -- account create --help` tells how to open an account.",
      "",
    ];
  return [
    ...lines,
    `  demo key        ${key}`,
    "",
    "Try it:",
    `  curl -H 'X-API-Key: ${key}' '${url}/v1/feeds/us_brokers/records?state=TX&page_size=3'`,
    "",
    "Ctrl-C stops it; the next start takes seconds and keeps everything.",
    "",
  ];
}
