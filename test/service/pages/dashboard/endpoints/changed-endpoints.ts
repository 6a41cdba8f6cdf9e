import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import type { EventType } from "../../../../../src/events/event-types.ts";
import type { Dispatcher } from "../../../../../src/webhooks/dispatch/dispatcher.ts";
import { fanOut } from "../../../../../src/webhooks/queue/fan-out.ts";
import { signedInCustomer } from "../../../../support/dashboard.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { LOOPBACK_ENV, quieten, startTestDispatcher } from "../../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../../support/webhooks/receiver.ts";

export let browser: Browser | null;
export let service: TestService;
export let receiver: Receiver;
export let page: Page;
export let accountId: number;
export let key: string;
let dispatcher: Dispatcher | undefined;

/** Starts to send what is queued, until the test ends. */
export function dispatch(): void {
  dispatcher = startTestDispatcher(service.context);
}

/** Registers an endpoint for reinstated and inactive; gives its id. */
export async function registered(path: string): Promise<number> {
  const asked = {
    url: receiver.url + path,
    event_types: ["reinstated", "authority_inactive"] as EventType[],
  };
  return (await registerEndpoint(service.context, accountId, asked)).id;
}

/** Does so in the browser. */
export async function register(path: string): Promise<number> {
  await page.goto("/dashboard/webhooks");
  await page.getByLabel("Address").fill(receiver.url + path);
  await page.getByLabel("New authority granted").uncheck();
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByRole("heading", { name: "Your new endpoint" }).waitFor();
  const newest = await service.context.db.prisma.webhookEndpoint.findFirst({ orderBy: { id: "desc" } });
  return newest?.id ?? 0;
}

export const rowOf = (id: number) => service.context.db.prisma.webhookEndpoint.findUnique({ where: { id } });

export const queueEvent = async (type: "reinstated" | "authority_inactive") => {
  await putEvents(service.context.db, [{ type, usdot: 11, detectedAt: service.clock.now().toISOString() }]);
  await fanOut(service.context);
};

/** Starts a service and a receiver, and signs its customer in by a browser if there is one. Nothing is sent before `dispatch`. */
export async function useChangedEndpoints(): Promise<void> {
  // A browser on a busy machine takes its time.
  vi.setConfig({ testTimeout: 300_000 });
  browser = await openBrowser();
  beforeAll(async () => {
    service = await startTestService({
      env: { ...LOOPBACK_ENV, WEBHOOK_RETRY_SECONDS: "90,120,7200,100000" },
    });
    receiver = await startReceiver();
    if (browser === null) return;
    const feeds = { us_brokers: null };
    ({ page, accountId, key } = await signedInCustomer(browser, service, {
      email: "o@freight.example",
      feeds,
    }));
  });
  beforeEach(async () => {
    await quieten(service.context);
    receiver.received.length = 0;
    receiver.answerWith(() => 204);
    return async () => {
      await dispatcher?.stop();
      dispatcher = undefined;
    };
  });
  afterAll(async () => {
    await browser?.close();
    await receiver.close();
    await service.stop();
  });
}
