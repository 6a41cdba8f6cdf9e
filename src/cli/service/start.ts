import { Command } from "commander";
import { demoKey } from "../../accounts/keys/demo-key.ts";
import { hasUsableKey } from "../../accounts/keys/keys.ts";
import { SIGN_IN_LINK_MINUTES, signInLink } from "../../accounts/sessions/sign-in-links.ts";
import { readOperatorsTexts } from "../../pages/frame/operators-texts.ts";
import { configFrom, readEnvironment } from "../../platform/config/config.ts";
import { prepareDataDir } from "../../platform/config/data-dir.ts";
import type { EntryContext } from "../../platform/context.ts";
import { whileAloneWithDemo } from "../../platform/installation/installation.ts";
import { type OpenContext, openContext, SHORT_WAIT } from "../../platform/opening/open-context.ts";
import { startDispatcher } from "../../webhooks/dispatch/dispatcher.ts";
import { applyShippedPlansOnce } from "../accounts/plan.ts";
import { requireFreePorts, withPortChosen } from "./admin.ts";
import { bringDemoUpToToday, canHoldDemo, demoAccount } from "./demo.ts";
import { runService } from "./service.ts";

export function startCommand(): Command {
  return new Command("start")
    .description("Run the whole service in one process; without DATABASE_URL it starts its own PostgreSQL")
    .option("--demo", "also put the demo registry into the database of DATABASE_URL, if it has no import")
    .action(async (flags: { demo?: boolean }) => {
      const environment = readEnvironment();
      // Who starts it by hand wants to read the address. The log adds only warnings, unless it is asked for.
      const config = configFrom({ ...environment, LOG_LEVEL: environment.LOG_LEVEL || "warn" });
      const say = (line: string) => process.stdout.write(`${line}\n`);
      // Checked before the demo is made, which takes half a minute.
      await requireFreePorts(config);
      readOperatorsTexts(config);
      await prepareDataDir(config.dataDir);
      const opened = await openContext(config, {}, SHORT_WAIT);
      const isDemo = config.databaseUrl === null || flags.demo === true;
      const { service, demo, hasKey } = await prepared(opened, isDemo, say).catch(async (error) => {
        await opened.close();
        throw error;
      });
      await runService(service, {
        onReady: (url) => {
          for (const line of welcome(url, demo, hasKey)) say(line);
        },
        // No load balancer is in front of this service: it may stop at once.
        noticeMs: 0,
        startDispatcher,
      });
    });
}

/** The service with its plans, its port and, where it may hold it, the demo. */
async function prepared(opened: OpenContext, isDemo: boolean, say: (line: string) => void) {
  const { context } = opened;
  await applyShippedPlansOnce(context);
  const opening = isDemo ? await whileAloneWithDemo(context, () => openDemo(context, say)) : null;
  const hasKey = await hasUsableKey(context);
  const service = await withPortChosen(opened);
  const demo = opening && {
    key: opening.key,
    signInUrl: await signInLink(service.context, opening.accountId),
  };
  return { service, demo, hasKey };
}

/** Makes the demo, or brings it up to today. Null where the database may not hold it. */
async function openDemo(context: EntryContext, say: (line: string) => void) {
  if (!(await canHoldDemo(context))) return null;
  await bringDemoUpToToday(context, say);
  const { id: accountId } = await demoAccount(context);
  return { key: await demoKey(context, accountId), accountId };
}

interface Demo {
  key: string;
  signInUrl: string;
}

function welcome(url: string, demo: Demo | null, hasKey: boolean): string[] {
  const noKey = "  No key yet: `npm run -s tdf -- account create --help` shows how to open an account.";
  return [
    "",
    `Trucking Data Feed is at ${url}`,
    `  documentation   ${url}/docs`,
    ...(demo === null ? [`  dashboard       ${url}/dashboard`] : demoLines(url, demo)),
    ...(hasKey ? [] : [noKey]),
    "",
    "Ctrl-C stops it. The next start takes seconds and keeps all data.",
    "",
  ];
}

const demoLines = (url: string, { key, signInUrl }: Demo): string[] => [
  `  demo key        ${key}`,
  `  dashboard       ${signInUrl}`,
  `                  (the link works once, within ${SIGN_IN_LINK_MINUTES} minutes)`,
  "",
  "Try it:",
  `  curl -H 'X-API-Key: ${key}' '${url}/v1/feeds/us_brokers/records?state=TX&page_size=3'`,
];
