import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { keepTellingOfEnds } from "../../accounts/keys/expiry-mail.ts";
import { startUsageCounter } from "../../accounts/usage/usage-counter.ts";
import { isStopping, stopApi } from "../../api/connection/stop.ts";
import { createApi, listen } from "../../api/server.ts";
import { keepSharedValues } from "../../carriers/connections/shared-values.ts";
import { keepMailing } from "../../carriers/watch-mail.ts";
import { keepNames } from "../../feeds/names/names.ts";
import { keepRowsPrepared } from "../../feeds/row-files/keep-prepared.ts";
import { routeMcp } from "../../mcp/mcp.ts";
import { routePagesOnUse } from "../../pages/on-use.ts";
import type { Config } from "../../platform/context.ts";
import { startMailer } from "../../platform/mail/mailer.ts";
import type { OpenContext } from "../../platform/opening/open-context.ts";
import { watchTables } from "../../retention/table-metrics.ts";
import { startUpkeep } from "../../retention/upkeep.ts";
import { runTestMode, type StartDispatcher } from "../../testmode/running.ts";
import { startWatching } from "../../watch/watching.ts";
import { keepPaying } from "../../watchlists/pay-for-month.ts";
import { prepareSecrets } from "../../webhooks/secrets/prepare-secrets.ts";
import { listenError, startAdmin } from "./admin.ts";
import { MAILS } from "./mails.ts";
import { STOP_GRACE_MS, STOP_IDLE_MS, stopSignal } from "./stop-signal.ts";

/**
 * Serves the API until it is asked to stop, and sends webhook deliveries if it gets a dispatcher. Then it stops without losing a
 * request and closes the context. A second signal ends the process at once.
 */
export async function runService(
  { context, close }: OpenContext,
  options: { onReady: (url: string) => void; noticeMs: number; startDispatcher: StartDispatcher | null },
): Promise<void> {
  const { config, log } = context;
  // Makes V8 collect garbage when the heap has doubled. By default it waits for up to four times the size, and pages that
  // were sent long ago take a fifth of the process's memory. An import is faster without this setting.
  setFlagsFromString("--heap-growing-percent=100");
  await prepareSecrets(context).catch(async (error) => {
    await close();
    throw error;
  });
  const stopCounting = startUsageCounter(context);
  const mailer = startMailer(context, MAILS);
  const stopUpkeep = startUpkeep(context);
  const stopKeeping = [
    keepRowsPrepared,
    keepNames,
    keepSharedValues,
    keepPaying,
    keepMailing,
    keepTellingOfEnds,
  ].map((keep) => keep(context));
  const dispatcher = options.startDispatcher?.(context);
  watchTables(context);
  const stopTestMode = runTestMode(context, options.startDispatcher);
  const stopWatching = startWatching(context, dispatcher ? "start" : "serve");
  try {
    const app = await createApi(context, { routeTools: routeMcp, routePages: routePagesOnUse });
    const server = await listen(context, app, config).catch((error) => {
      throw listenError(error, config);
    });
    const admin = await startAdmin(context, () => isStopping(app)).catch(async (error) => {
      await stopApi(app, server, { graceMs: 0, noticeMs: 0 });
      throw error;
    });
    const { port } = server.address() as AddressInfo;
    // Before anybody is told that it serves, so that no signal after that ends it half way.
    const stopped = stopSignal(log, options.noticeMs);
    options.onReady(addressOf(config, port));
    log.info({ host: config.host, port, adminPort: admin.port }, "Serving.");
    await stopped;
    await Promise.all([
      stopApi(app, server, { graceMs: STOP_GRACE_MS, noticeMs: options.noticeMs, idleMs: STOP_IDLE_MS }),
      mailer.stop(),
      dispatcher?.stop(),
      stopTestMode(),
    ]);
    // Last: until then, health and metrics show that the service is stopping.
    await admin.stop();
  } finally {
    await Promise.all([mailer.stop(), dispatcher?.stop(), stopTestMode()]);
    await Promise.all([stopCounting(), stopUpkeep(), ...stopKeeping.map((stop) => stop()), stopWatching()]);
    await close();
  }
}

const addressOf = (config: Config, port: number): string => {
  const host = config.host === "0.0.0.0" || config.host === "::" ? "127.0.0.1" : config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
};
