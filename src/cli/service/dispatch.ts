import { Command } from "commander";
import { configFrom, readEnvironment } from "../../platform/config/config.ts";
import { startMailer } from "../../platform/mail/mailer.ts";
import { type OpenContext, openContext } from "../../platform/opening/open-context.ts";
import { watchTables } from "../../retention/table-metrics.ts";
import { startUpkeep } from "../../retention/upkeep.ts";
import { runTestMode } from "../../testmode/running.ts";
import { startWatching } from "../../watch/watching.ts";
import { startDispatcher } from "../../webhooks/dispatch/dispatcher.ts";
import { prepareSecrets } from "../../webhooks/secrets/prepare-secrets.ts";
import { startAdmin } from "./admin.ts";
import { MAILS } from "./mails.ts";
import { stopSignal } from "./stop-signal.ts";

export function dispatchCommand(): Command {
  return new Command("dispatch")
    .description(
      "Send webhook deliveries and mails, without the API; several such processes may share one database",
    )
    .action(async () => {
      const opened = await openContext(configFrom(readEnvironment()));
      try {
        await dispatchUntilStopped(opened);
      } finally {
        await opened.close();
      }
    });
}

async function dispatchUntilStopped({ context }: OpenContext): Promise<void> {
  await prepareSecrets(context);
  // Before the first delivery, so that a signal never cuts one off.
  const stopped = stopSignal(context.log);
  const mailer = startMailer(context, MAILS);
  const dispatcher = startDispatcher(context);
  const stopUpkeep = startUpkeep(context);
  watchTables(context);
  const stopWatching = startWatching(context, "dispatch");
  const stopTestMode = runTestMode(context, startDispatcher);
  let isStopping = false;
  try {
    const admin = await startAdmin(context, () => isStopping);
    const { webhookConcurrency: concurrency } = context.config;
    context.log.info({ concurrency, adminPort: admin.port }, "Dispatching.");
    await stopped;
    isStopping = true;
    await Promise.all([dispatcher.stop(), mailer.stop(), stopTestMode()]);
    await admin.stop();
  } finally {
    await Promise.all([dispatcher.stop(), mailer.stop(), stopTestMode(), stopUpkeep(), stopWatching()]);
  }
}
