import { startUsageCounter } from "../accounts/usage/usage-counter.ts";
import type { Context } from "../platform/context.ts";
import { keepTrying } from "../platform/database/keep-trying.ts";
import { KEPT_TABLES, type KeptTable } from "../retention/kept-tables.ts";
import { startUpkeep } from "../retention/upkeep.ts";
import { keepPaying } from "../watchlists/pay-for-month.ts";
import type { Dispatcher } from "../webhooks/dispatch/dispatcher.ts";
import { prepareSecrets } from "../webhooks/secrets/prepare-secrets.ts";
import { followAccounts } from "./accounts.ts";
import { findTestMode } from "./test-mode.ts";

/** How often a process looks whether the installation uses test mode. */
const LOOK_EVERY_MS = 5_000;

/** Of a process that sends deliveries. One that sends none does not even load the dispatcher. */
export type StartDispatcher = (context: Context) => Dispatcher;

/**
 * Does for test mode what the process does for the live database, as soon as the installation has test keys, until the returned
 * function is called. Mails of test mode are never sent.
 */
export function runTestMode(live: Context, startDispatcher: StartDispatcher | null): () => Promise<void> {
  let running: (() => Promise<void>) | null = null;
  const stopLooking = keepTrying(live, LOOK_EVERY_MS, {
    work: async () => {
      if (running !== null) return;
      const test = await findTestMode(live);
      if (test !== null) running = await start(test, startDispatcher);
    },
    failure: "Test mode could not be started. The live service goes on. Trying again.",
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await stopLooking();
    await running?.();
  };
  return () => {
    stopping ??= stop();
    return stopping;
  };
}

async function start(test: Context, startDispatcher: StartDispatcher | null): Promise<() => Promise<void>> {
  await prepareSecrets(test);
  const dispatcher = startDispatcher?.(test);
  const stopping = [
    startUsageCounter(test),
    startUpkeep(test, CLEARED),
    keepPaying(test),
    followAccounts(test),
  ];
  return async () => {
    await dispatcher?.stop();
    await Promise.all(stopping.map((stop) => stop()));
  };
}

/** What grows in test mode. Versions, changes and events of the fixture registry stay, so that it is always the same. */
const CLEARED: readonly KeptTable[] = KEPT_TABLES.filter(({ table }) =>
  [
    "webhook_delivery",
    "webhook_result",
    "webhook_cancellation",
    "usage_day",
    "usage_month",
    "export_charge",
    "connection_charge",
    "mail_outbox",
    "idempotent_answer",
    "removal_client",
  ].includes(table),
);
