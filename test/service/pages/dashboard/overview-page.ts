import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Context } from "../../../../src/platform/context.ts";
import { useSevenDays } from "../../../support/accounts.ts";
import { setDetection } from "../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { putRows } from "../../../support/rows.ts";
import type { TestService } from "../../../support/service.ts";

/** Publishes brokers of two days, and lapses of insurance of a day that is too long ago to be served. */
export async function publishFeeds({ context, clock }: TestService): Promise<void> {
  const { db } = context;
  await publishFeed(db, "us_insurance_lapse_alerts", {
    records: [feedRecord("us_insurance_lapse_alerts", { dot_number: "77" })],
    asOf: "2026-11-10",
    now: clock.now(),
  });
  for (const [asOf, rows] of [
    ["2026-11-18", 1],
    ["2026-11-20", 3],
  ] as const) {
    const records = Array.from({ length: rows }, (_, index) =>
      feedRecord("us_brokers", { dot_number: String(77 + index) }),
    );
    await publishFeed(db, "us_brokers", { records, asOf, now: clock.now() });
  }
  await setDetection(db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
}

/** Usage of the seven days before today: each so many rows, ten requests, one of them with an error, and one refused. */
export async function useRows(
  context: Context,
  { accountId, keyId }: { accountId: number; keyId: string },
  rows: number,
) {
  await useSevenDays(context, { accountId, keyId }, { rows, errors: 1, refused: 1 });
  await putRows(context.db.pool, "usage_month", {
    account_id: accountId,
    month: "2026-11-01",
    api_rows: 7 * rows,
    quota_rows: 7 * rows,
  });
}

/** The card of this title. */
export const card = async (page: Page, title: string): Promise<string> => {
  const found = page.locator(".card").filter({ has: page.getByText(title, { exact: true }) });
  return ((await found.textContent()) ?? "").replaceAll(/\s+/g, " ");
};

/** The warning with this beginning, whole, once the overview is loaded anew. */
export async function warning(page: Page, what: string | RegExp): Promise<string> {
  await page.goto("/dashboard");
  const note = page.locator("main .notice").filter({ hasText: what });
  expect(await note.count()).toBe(1);
  return ((await note.textContent()) ?? "").replaceAll(/\s+/g, " ");
}
