import { createHmac } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, vi } from "vitest";
import { type Dispatcher, startDispatcher } from "../../../../../src/webhooks/dispatch/dispatcher.ts";
import { createSender } from "../../../../../src/webhooks/egress/sender.ts";
import { setOwner } from "../../../../support/accounts.ts";
import { openDashboard, signIn } from "../../../../support/dashboard.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver, TEST_CA } from "../../../../support/webhooks/receiver.ts";

const OWNER = "owner@freight.example";

export let browser: Browser | null;
export let service: TestService;
export let receiver: Receiver;
let dispatcher: Dispatcher;
export let page: Page;
export let accountId: number;

/** Registers an endpoint for every event type of the plan. */
export const registered = (path: string): Promise<{ id: number; secret: string }> =>
  registerEndpoint(service.context, accountId, {
    url: receiver.url + path,
    event_types: ["new_authority_granted", "reinstated", "authority_inactive"],
  });

/** Registers an endpoint in the browser; gives its id and secret. */
export async function register(path: string): Promise<{ id: number; secret: string }> {
  await page.goto("/dashboard/webhooks");
  await page.getByLabel("Address").fill(receiver.url + path);
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByRole("heading", { name: "Your new endpoint" }).waitFor();
  const secret = (await page.locator("#secret").textContent()) ?? "";
  const endpoint = await service.context.db.prisma.webhookEndpoint.findFirst({ orderBy: { id: "desc" } });
  return { id: endpoint?.id ?? 0, secret };
}

export function isGenuine(header: string, body: Buffer, secret: string): boolean {
  const [, t = "", v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  return createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex") === v1;
}

/** Loads the page again until what is looked for is there: deliveries go out beside the test. */
export async function reloadUntil(text: string): Promise<void> {
  for (let times = 0; times < 100; times++) {
    if ((await page.getByText(text).count()) > 0) return;
    await page.waitForTimeout(100);
    await page.reload();
  }
  throw new Error(`"${text}" did not appear on ${page.url()}`);
}

export const eventOf = (usdot: number) => ({
  type: "reinstated" as const,
  usdot,
  detectedAt: service.clock.now().toISOString(),
  data: { legal_name: `CARRIER ${usdot}`, reason: "Reinstated" },
});

/** Starts a service that sends to a receiver, and signs its customer in by a browser if there is one. */
export async function useWebhookPages(): Promise<void> {
  // A browser on a busy machine takes its time.
  vi.setConfig({ testTimeout: 300_000 });
  browser = await openBrowser();
  beforeAll(async () => {
    service = await startTestService({ env: { WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8" } });
    receiver = await startReceiver();
    const sender = createSender({ allowedCidrs: ["127.0.0.0/8"], ca: TEST_CA });
    dispatcher = startDispatcher(service.context, { sender, pollMs: 50 });
    ({ accountId } = await service.createAccount({ feeds: { us_brokers: null } }));
    await setOwner(service.context, accountId, OWNER);
    if (browser === null) return;
    ({ page } = await openDashboard(browser, service));
    await signIn(page, service, OWNER);
  });
  afterAll(async () => {
    await browser?.close();
    await dispatcher.stop();
    await receiver.close();
    await service.stop();
  });
}
