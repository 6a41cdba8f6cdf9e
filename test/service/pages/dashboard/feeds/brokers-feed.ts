import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, vi } from "vitest";
import { callerOfAccount } from "../../../../../src/accounts/keys/caller.ts";
import { readUsage } from "../../../../../src/accounts/usage/usage.ts";
import { setOwner } from "../../../../support/accounts.ts";
import { openDashboard, signIn } from "../../../../support/dashboard.ts";
import { putEvents, setDetection } from "../../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

export const OWNER = "owner@freight.example";

export let browser: Browser | null;
export let service: TestService;
export let accountId: number;
export let page: Page;

export const quotaRowsUsed = async (): Promise<number> =>
  (await readUsage(service.context, await callerOfAccount(service.context, accountId))).usage.quota_rows;

/** Ticks a state, as a person does, and asks for the rows. */
export async function tickState(where: Page, state: string): Promise<void> {
  await where.getByText(/^States: /).click();
  await where.getByRole("checkbox", { name: state, exact: true }).check();
  await where.getByRole("button", { name: "Show rows" }).click();
}

/** Starts a service with 45 brokers and 30 events, and signs its customer in by a browser if there is one. */
export async function useBrokersFeed(): Promise<void> {
  // A browser on a busy machine takes its time.
  vi.setConfig({ testTimeout: 300_000 });
  browser = await openBrowser();
  beforeAll(async () => {
    service = await startTestService();
    const { db } = service.context;
    const records = Array.from({ length: 45 }, (_, place) =>
      feedRecord("us_brokers", {
        company: `BROKER ${place} <b>& SONS</b>`,
        dot_number: String(1_000 + place),
        state: place % 3 === 0 ? "TX" : "CA",
        authority_granted: "2026-10-01",
      }),
    );
    await publishFeed(db, "us_brokers", { records, asOf: "2026-11-20", now: service.clock.now() });
    await setDetection(db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
    await putEvents(
      db,
      Array.from({ length: 30 }, (_, place) => ({
        type: place % 2 === 0 ? ("new_authority_granted" as const) : ("reinstated" as const),
        usdot: 1_000 + place,
        state: place < 3 ? "CA" : "TX",
        data: {
          legal_name: `CARRIER ${place}`,
          reason: "Granted",
          status_before: "pending",
          status_after: "active",
        },
      })),
    );
    ({ accountId } = await service.createAccount({
      feeds: { us_brokers: null, us_revocation_pending: ["TX"] },
    }));
    await setOwner(service.context, accountId, OWNER);
    if (browser === null) return;
    ({ page } = await openDashboard(browser, service));
    await signIn(page, service, OWNER);
  });
  afterAll(async () => {
    await browser?.close();
    await service.stop();
  });
}
