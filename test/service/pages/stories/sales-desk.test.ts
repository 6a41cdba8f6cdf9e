// A sales desk filters 200 brokers in Texas, downloads them, saves the view and finds it again.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { publishBrokers } from "../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { type Person, partsOf, tellStory } from "./story.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000 });

const FEED = "us_brokers";
const browser = await openBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await publishBrokers(service);
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

async function walk({ page, press, type, tick, isByKeyboard, hasScript }: Person): Promise<void> {
  const { button, link, menu, folded } = partsOf(page);
  await press(menu("Feeds"));
  await press(link("Brokers and freight forwarders"));
  await page.getByText("450 companies. A download of all of them uses 450 rows of your quota.").waitFor();
  await press(folded(/^States: any/));
  const texas = page.getByRole("checkbox", { name: "TX", exact: true });
  if (isByKeyboard && hasScript) {
    await tick(page.getByRole("checkbox", { name: "AL", exact: true }));
    await page.keyboard.press("Space");
    await page.keyboard.type("tx");
    await tick(texas);
    await page.keyboard.press("Enter");
  } else {
    await tick(texas);
    await press(button("Show rows"));
  }
  await page.getByText("200 companies. A download of all of them uses 200 rows of your quota.").waitFor();

  await press(folded(/^Download$/));
  const started = page.waitForEvent("download");
  await press(button("Download as CSV"));
  const lines = (await readFile(await (await started).path(), "utf8")).trimEnd().split("\r\n");
  const states = lines.map((line) => line.split(",")[lines[0]?.split(",").indexOf("state") ?? 0]);
  expect(states).toEqual(["state", ...Array(200).fill("TX")]);

  await press(folded(/^Save this view$/));
  await type(page.getByLabel("Name of the view"), "Texas brokers");
  await press(button("Save"));
  await page.getByText("The view is saved.").waitFor();
  // The downloaded rows are paid for, in whatever format.
  await page.getByText("0 rows of your quota.").waitFor();

  await press(menu("Feeds"));
  expect(await page.getByRole("row", { name: "Texas brokers" }).textContent()).toContain("States: TX");
  await press(link("Texas brokers"));
  await page.getByText("1 to 50 of 200").waitFor();
  expect(await link("Texas brokers").getAttribute("aria-current")).toBe("true");
  if (isByKeyboard) await press(link("Skip the rows"));
  await press(page.getByRole("link", { name: "Next 50" }));
  await page.getByText("51 to 100 of 200").waitFor();
}

tellStory(
  browser,
  "a sales desk filters 200 brokers in Texas, downloads, saves the view and finds it again",
  {
    service: () => service,
    plan: { feeds: { [FEED]: null } },
    walk,
  },
);
