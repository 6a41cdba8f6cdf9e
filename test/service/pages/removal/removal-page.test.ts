// The form at /remove, as people and as browsers meet it.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectGoodLooks } from "../../../support/dashboard.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { putRegistryRow } from "../../../support/registry/registry-rows.ts";
import { newAddress, removalList } from "../../../support/removals/opt-outs.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { TRUST_PROXY_HOPS: "1", OPT_OUT_PER_MINUTE: "3" } });
});
afterAll(() => service.stop());

const FORM = "application/x-www-form-urlencoded";

function submit(
  fields: Record<string, string> | string,
  { address = newAddress(), headers = {} }: { address?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${service.url}/remove`, {
    method: "POST",
    headers: { "Content-Type": FORM, "X-Forwarded-For": address, ...headers },
    body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
  });
}

const isHidden = async (usdot: number): Promise<boolean> =>
  (await removalList(service.context)).businesses.includes(usdot);

describe("the page", () => {
  it("loads nothing from elsewhere, has no script or style of its own, and stands in no other site's frame", async () => {
    const answer = await service.get("/remove");
    expect(answer.status).toBe(200);
    const policy = answer.headers.get("content-security-policy");
    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; " +
        "base-uri 'none'; frame-ancestors 'none'",
    );
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await answer.text()).not.toMatch(/<script>|src="(?!\/assets\/)|https?:|style="| on\w+="/);
  });

  it("says what will happen, when, and what is kept for how long", async () => {
    const text = await (await service.get("/remove")).text();
    for (const words of [
      "at once",
      "after later",
      "more than 5 active",
      "after 90 days",
      "same\nanswer|same answer",
    ])
      expect(text).toMatch(new RegExp(words));
  });

  it("is found from the front page, and other methods are told what it takes", async () => {
    expect(await (await service.get("/")).text()).toContain('href="/remove"');
    const answer = await fetch(`${service.url}/remove`, { method: "DELETE" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });
});

describe("sending the form", () => {
  it("removes the business, and tells the same whether or not there was one", async () => {
    await service.context.db.transaction((client) =>
      putRegistryRow(client, "census", { usdot: 700_001, phone: "3255550142" }),
    );
    const numbered = async (fields: Record<string, string>): Promise<[number, string]> => {
      const answer = await submit(fields);
      return [answer.status, (await answer.text()).replace(/\d{14}/, "NUMBER")];
    };
    const known = await numbered({ phone: "(325) 555-0142" });
    const unknown = await numbered({ phone: "(325) 555-0143" });
    expect(known).toEqual([200, expect.stringContaining("Your request is recorded")]);
    expect(unknown).toEqual(known);
    expect(await isHidden(700_001)).toBe(true);
  });

  it("keeps what was typed, escaped, and says what is wrong beside each field", async () => {
    const typed = {
      usdot: `"><script>alert(1)</script>`,
      requester_email: "<b>@x",
      details: "\n</textarea><i>",
    };
    const answer = await submit(typed);
    const text = await answer.text();
    expect(answer.status).toBe(400);
    expect(text).not.toMatch(/<script>|<i>|<b>@/);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(text).toContain(
      'rows="4" maxlength="2000" aria-describedby="details-hint">\n\n&lt;/textarea&gt;&lt;i&gt;</textarea>',
    );
    expect(text).toMatch(/id="usdot-error">A USDOT number has 1 to 8 digits/);
    expect(text).toMatch(/id="requester_email-error">This is not an e-mail address/);
    expect(text).toContain("Nothing was recorded yet.");
  });

  it("asks for an identifier when there is none, whatever else was filled in", async () => {
    for (const fields of ["", { usdot: "  ", details: "Please" }, { requester_email: "me@example.com" }]) {
      const answer = await submit(fields);
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringMatching(/Fill in at least one/),
      ]);
    }
  });

  it("has the limits of the operation, whose count it shares", async () => {
    const address = newAddress();
    for (const usdot of ["700011", "700012"]) expect((await submit({ usdot }, { address })).status).toBe(200);
    const byProgram = await fetch(`${service.url}/v1/opt-out`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Forwarded-For": address },
      body: JSON.stringify({ usdot: "700013" }),
    });
    expect(byProgram.status).toBe(202);
    const refused = await submit({ usdot: "700014" }, { address: `198.51.100.9, ${address}` });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    const text = await refused.text();
    expect(text).toMatch(/3 removal requests a minute.*Nothing was recorded yet/);
    expect(text).toContain('value="700014"');
    expect(await isHidden(700_014)).toBe(false);
  });

  it("takes nothing that another site's page sends from its visitors", async () => {
    for (const site of ["cross-site", "same-site"]) {
      const answer = await submit({ usdot: "700020" }, { headers: { "Sec-Fetch-Site": site } });
      expect([site, answer.status]).toEqual([site, 403]);
    }
    const named = await submit({ usdot: "700020" }, { headers: { Origin: "https://evil.example" } });
    expect(named.status).toBe(403);
    expect(await isHidden(700_020)).toBe(false);
    const own = await submit(
      { usdot: "700020" },
      { headers: { "Sec-Fetch-Site": "same-origin", Origin: "null" } },
    );
    expect(own.status).toBe(200);
  });

  it("answers what is no form of ours with a page, too", async () => {
    const asJson = await submit("{}", { headers: { "Content-Type": "application/json" } });
    expect([asJson.status, asJson.headers.get("content-type")]).toEqual([415, "text/html; charset=utf-8"]);
    expect((await submit({ usdot: "1", details: "x".repeat(40_000) })).status).toBe(413);
    const tooLong = await submit({ usdot: "1", details: "x".repeat(2001) });
    expect([tooLong.status, await tooLong.text()]).toEqual([
      400,
      expect.stringMatching(/at most 2000 characters/),
    ]);
  });
});

const browser: Browser | null = await openBrowser();
afterAll(() => browser?.close());

describe.skipIf(browser === null)("in a browser", () => {
  let page: Page;
  const complaints: string[] = [];
  beforeEach(async () => {
    await page?.context().close();
    const context = await (browser as Browser).newContext({
      viewport: { width: 360, height: 740 },
      extraHTTPHeaders: { "X-Forwarded-For": newAddress() },
    });
    page = await context.newPage();
    complaints.length = 0;
    page.on("console", (message) => complaints.push(message.text()));
    page.on("request", (request) => {
      if (!request.url().startsWith(service.url)) complaints.push(request.url());
    });
    await page.goto(`${service.url}/remove`);
  });

  it("is filled in and sent by keyboard alone, and reaches the removal list", async () => {
    await page.getByLabel("USDOT number").focus();
    await page.keyboard.type("USDOT 700101");
    for (let tabs = 0; tabs < 6; tabs++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your request is recorded" }).waitFor();
    expect(await isHidden(700_101)).toBe(true);
    await page.getByRole("link", { name: "Send another request" }).click();
    await page.getByRole("heading", { name: "Have a business removed" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("leads from the summary of mistakes to each field, which is described by its mistake", async () => {
    await page.getByLabel("Phone number").fill("555-0100");
    await page.getByLabel("Anything else").fill("two\nlines");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("alert").getByRole("link").click();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("phone");
    expect(await page.getByLabel("Phone number").inputValue()).toBe("555-0100");
    expect(await page.getByLabel("Anything else").inputValue()).toBe("two\nlines");
    expect(await page.locator("#phone[aria-invalid=true]").getAttribute("aria-describedby")).toBe(
      "phone-error phone-hint",
    );
  });

  it("puts the keyboard into the first wrong field, and describes the fields of which one is needed", async () => {
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("alert").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("usdot");
    const described = await page
      .getByRole("group", { name: "Which business" })
      .getAttribute("aria-describedby");
    expect(await page.locator(`#${described}`).textContent()).toBe(
      "Fill in at least one of the first four fields.",
    );
    await page.getByLabel("E-mail address", { exact: true }).fill("nobody");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.locator("#email-error").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("email");
  });

  it("looks good in every state", async () => {
    await page.getByLabel("MC number").fill("nonsense");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("alert").waitFor();
    await expectGoodLooks(page, "removal-refused");
    await page.getByLabel("MC number").fill("MC-700102");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Its number is").waitFor();
    await expectGoodLooks(page, "removal-done");
  });
});
