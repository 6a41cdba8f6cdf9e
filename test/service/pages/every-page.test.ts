// Every page of the service, found from its routes, is judged by the same rules.
import { afterAll, describe, expect, it, vi } from "vitest";
import { openBrowser } from "../../support/network/browser.ts";
import { openJudge } from "../../support/pages/judge.ts";
import { everyPage } from "../../support/pages/page-list.ts";
import { startShownService } from "../../support/pages/shown-service.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 });

const browser = await openBrowser();
const shown = await startShownService();
const pages = await everyPage(shown);
const judge = browser && (await openJudge(browser, shown));

afterAll(async () => {
  await browser?.close();
  await shown.stop();
});

it("finds pages of every kind", () => {
  expect(pages.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "/",
      "/problems",
      "/status",
      "/remove",
      "/dashboard",
      "/dashboard/usage",
      "/admin",
    ]),
  );
});

describe.skipIf(judge === null)("in a browser", () => {
  it.each(pages)("$name", (page) => judge?.judge(page));

  it("no page has a link that leads nowhere", async () => {
    const dead: string[] = [];
    for (const address of judge?.links ?? []) {
      const answer = await shown.get(address, undefined, {
        Cookie: shown.cookie,
      });
      await answer.arrayBuffer();
      if (answer.status >= 400) dead.push(`${answer.status} ${address}`);
    }
    expect(dead).toEqual([]);
  });
});
