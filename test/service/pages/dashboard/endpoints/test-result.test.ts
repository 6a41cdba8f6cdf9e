// What a person sees between registering an endpoint and the receiver's answer, with addresses that are long.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { expectGoodLooks, signedInCustomer } from "../../../../support/dashboard.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { putDelivery, putResult } from "../../../../support/webhooks/deliveries.ts";
import { LOOPBACK_ENV, startTestDispatcher, untilIdle } from "../../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../../support/webhooks/receiver.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;
let receiver: Receiver;
let page: Page;
let accountId: number;

beforeAll(async () => {
  service = await startTestService({ env: LOOPBACK_ENV });
  receiver = await startReceiver(({ path }) => (path === "/fails" ? 500 : 204));
  // Without any event, nothing is ever idle.
  await putEvents(service.context.db, [{ type: "reinstated" }]);
  if (browser === null) return;
  const plan = { email: "tests@freight.example", feeds: { us_brokers: null } };
  ({ page, accountId } = await signedInCustomer(browser, service, plan));
});
afterAll(async () => {
  await browser?.close();
  await receiver.close();
  await service.stop();
});

/** Registers an endpoint as people do, and stays where that leads. */
async function register(at: Page, path: string): Promise<void> {
  await at.goto("/dashboard/webhooks");
  await at.getByLabel("Address").fill(receiver.url + path);
  await at.getByRole("button", { name: "Register" }).click();
}

/** Has the queued deliveries sent. */
async function sendAll(): Promise<void> {
  const dispatcher = startTestDispatcher(service.context);
  await untilIdle(service.context);
  await dispatcher.stop();
}

describe.skipIf(browser === null)("who registers an endpoint", () => {
  it("stands on its page, with the secret and the button that tests it", async () => {
    await register(page, "/new");
    await page.getByRole("heading", { name: "Your new endpoint" }).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/^Endpoint \d+$/);
    expect(await page.locator("#secret").textContent()).toMatch(/^whsec_/);
    await expectGoodLooks(page, "endpoint-new");
    await page.getByRole("button", { name: "Send a test delivery" }).click();
    await page.getByRole("heading", { name: /^Delivery/ }).waitFor();
  });
});

describe.skipIf(browser === null)("the answer to a test delivery", () => {
  const test = async (at: Page, path: string) => {
    await register(at, path);
    await at.getByRole("button", { name: "Send a test delivery" }).click();
    const outcome = at.getByRole("status").filter({ hasText: "receiver" });
    await outcome.getByText("Waiting for the answer of your receiver.").waitFor();
    return outcome;
  };

  it("appears by itself, with the attempt and the request as it was sent", async () => {
    const outcome = await test(page, "/answers");
    await expectGoodLooks(page, "delivery-awaited");
    await page.evaluate("globalThis.isSamePage = true");
    await sendAll();
    await outcome.getByText("204").waitFor();
    expect(await outcome.getAttribute("class")).toBe("notice good");
    await page.getByText("Service-Delivery-Attempt: 1").waitFor();
    expect(await page.locator("main time .exact").count()).toBeGreaterThan(1);
    expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
  });

  it("leaves the keyboard where it is, and open what was opened", async () => {
    const outcome = await test(page, "/kept");
    const fold = page.getByText("The exact body, as it is sent and signed");
    await fold.focus();
    await page.keyboard.press("Enter");
    await sendAll();
    await outcome.getByText("204").waitFor();
    expect(await page.locator(":focus").textContent()).toBe(await fold.textContent());
    expect(await page.locator("details", { has: fold }).getAttribute("open")).toBe("");
  });

  it("appears by itself when it is an error", async () => {
    const outcome = await test(page, "/fails");
    await sendAll();
    await outcome.getByText("500").waitFor();
    expect(await outcome.getAttribute("class")).toBe("notice bad");
    expect(await outcome.textContent()).toContain("the answer was not 2xx");
  });

  it("appears by itself without a script, too", async () => {
    const { cookies } = await page.context().storageState();
    const plain = await (browser as Browser).newContext({ baseURL: service.url, javaScriptEnabled: false });
    await plain.addCookies(cookies);
    const outcome = await test(await plain.newPage(), "/plain");
    await sendAll();
    await outcome.getByText("204").waitFor();
    await plain.close();
  });
});

describe.skipIf(browser === null)("the attempts of a delivery", () => {
  it("have seconds, and room for the answer", async () => {
    const { id } = await registerEndpoint(service.context, accountId, {});
    const delivery = await putDelivery(service.context, { endpointId: id });
    for (const outcome of ["retried", "failed"]) {
      await putResult(service.context, delivery, { outcome, reason: "answer_not_2xx" });
      service.clock.advance(2_000);
    }
    await page.goto(`/dashboard/webhooks/${id}/deliveries/${delivery}`);
    const rows = page.getByRole("region", { name: "Attempts" }).locator("tbody tr");
    const started = await rows.locator("time .exact").allTextContents();
    expect(started).toEqual([expect.stringMatching(/:\d\d:\d\d$/), expect.stringMatching(/:\d\d:\d\d$/)]);
    expect(started[0]).not.toBe(started[1]);
    const answer = await rows.first().locator("td").first().boundingBox();
    expect(answer?.width).toBeGreaterThan(240);
  });
});

describe.skipIf(browser === null)("a long address", () => {
  const url = `https://hooks.example.com/${"tenant/".repeat(12)}deliveries/trucking`;

  it("is shortened in the middle where it is one of several, and whole on its own page", async () => {
    const { id } = await registerEndpoint(service.context, accountId, { url });
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const path of ["", "/webhooks"]) {
      await page.goto(`/dashboard${path}`);
      const endpoints = page.getByRole("region", { name: /endpoints$/ });
      const link = endpoints.locator(`a[href$="/webhooks/${id}"]`);
      expect(await link.textContent()).toMatch(/^https:\/\/hooks\.example\.com\/.*….*\/trucking$/);
      expect(await link.getAttribute("title")).toBe(url);
      expect(await endpoints.evaluate((table) => table.scrollWidth - table.clientWidth)).toBe(0);
    }
    await page.goto(`/dashboard/webhooks/${id}`);
    const head = await page.locator("main > p").filter({ hasText: url }).textContent();
    expect(head?.trim()).toBe(url);
    await expectGoodLooks(page, "endpoint-long-address");
  });
});

describe.skipIf(browser === null)("the form of an endpoint", () => {
  it("has a gap between every two fields", async () => {
    await page.goto("/dashboard/webhooks");
    const gaps = await page.locator("form.stack .field").evaluateAll((fields) => {
      const boxes = fields.map((field) => field.getBoundingClientRect());
      return boxes.slice(1).flatMap((box, index) => {
        const above = boxes[index];
        return above && box.top >= above.bottom - 1 ? [box.top - above.bottom] : [];
      });
    });
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(12);
  });
});
