import { Command } from "commander";
import { hasUsableKey } from "../../accounts/keys/keys.ts";
import { signInLink } from "../../accounts/sessions/sign-in-links.ts";
import { configFrom, readEnvironment } from "../../platform/config/config.ts";
import { prepareDataDir } from "../../platform/config/data-dir.ts";
import { openContext, TOLD_SOON } from "../../platform/open-context.ts";
import { applyShippedPlansOnce } from "../accounts/first-plans.ts";
import { bringDemoUpToToday, canHoldDemo, demoAccount, demoKey } from "./demo.ts";
import { requireFreePorts } from "./listen-error.ts";
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
      // Before the demo is made, which takes half a minute.
      await requireFreePorts(config);
      await prepareDataDir(config.dataDir);
      const logLevel = config.logLevel === "info" ? "warn" : config.logLevel;
      const opened = await openContext({ ...config, logLevel }, {}, TOLD_SOON);
      const { context } = opened;
      let demo: Demo | null = null;
      let hasKey = false;
      try {
        await applyShippedPlansOnce(context);
        if ((config.databaseUrl === null || flags.demo) && (await canHoldDemo(context))) {
          await bringDemoUpToToday(context, say);
          const account = await demoAccount(context);
          demo = { key: await demoKey(context, account), signInUrl: await signInLink(context, account.id) };
        }
        hasKey = await hasUsableKey(context);
      } catch (error) {
        await opened.close();
        throw error;
      }
      await runService(opened, {
        onReady: (url) => {
          for (const line of welcome(url, demo, hasKey)) say(line);
        },
        // No balancer watches a service that stands alone: it may stop at once.
        noticeMs: 0,
        dispatches: true,
      });
    });
}

interface Demo {
  key: string;
  signInUrl: string;
}

function welcome(url: string, demo: Demo | null, hasKey: boolean): string[] {
  const noKey = "  No key yet: `npm run -s tdf -- account create --help` tells how to open an account.";
  return [
    "",
    `Trucking Data Feed is at ${url}`,
    `  documentation   ${url}/docs`,
    ...(demo === null ? [`  dashboard       ${url}/dashboard`] : demoLines(url, demo)),
    ...(hasKey ? [] : [noKey]),
    "",
    "Ctrl-C stops it; the next start takes seconds and keeps everything.",
    "",
  ];
}

const demoLines = (url: string, { key, signInUrl }: Demo): string[] => [
  `  demo key        ${key}`,
  `  dashboard       ${signInUrl}`,
  "                  (signs in once, within 15 minutes)",
  "",
  "Try it:",
  `  curl -H 'X-API-Key: ${key}' '${url}/v1/feeds/us_brokers/records?state=TX&page_size=3'`,
];
