import type { Browser } from "playwright-core";
import { afterAll, describe, expect, it, vi } from "vitest";
import { SIGN_IN_LINK_MINUTES } from "../../../../../src/accounts/sessions/sign-in-links.ts";
import { operatorSignInLink } from "../../../../../src/watch/operator-sign-in.ts";
import { setOwner } from "../../../../support/accounts.ts";
import {
  clickTwice,
  expectGoodLooks,
  mailedSignIn,
  openDashboard,
  signIn,
} from "../../../../support/dashboard.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { visitorOf } from "../../../../support/visitor.ts";
import {
  accountId,
  askForLink,
  cookieOf,
  formTokenOf,
  OWNER,
  send,
  service,
  useOwner,
} from "./signing-in.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
useOwner();
afterAll(() => browser?.close());

describe.skipIf(browser === null)("signing in, in a browser", () => {
  it("takes a mailed link, once, and out again everywhere", async () => {
    const { page, visitor } = await openDashboard(browser as Browser, service);
    await page.goto("/dashboard");
    await expectGoodLooks(page, "sign-in");
    await page.getByLabel("E-mail address").fill("nobody@freight.example");
    await page.getByRole("button", { name: "Mail me a link" }).click();
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();
    await page.getByText(`within ${SIGN_IN_LINK_MINUTES} minutes`).waitFor();
    await page.goto("/dashboard/nowhere");
    await expectGoodLooks(page, "nowhere");
    await page.getByRole("link", { name: "Go to the sign-in page" }).click();
    await signIn(page, service, OWNER);
    const [cookie] = await visitor.cookies();
    expect(cookie).toMatchObject({ name: "tdf_session", httpOnly: true, sameSite: "Lax" });

    const elsewhere = await openDashboard(browser as Browser, service);
    await elsewhere.page.goto(await mailedSignIn(service, OWNER));
    expect(await elsewhere.page.getByRole("heading").textContent()).toBe("This link has expired");
    await signIn(elsewhere.page, service, OWNER);
    await elsewhere.page.getByRole("button", { name: "Sign out everywhere" }).click();
    await elsewhere.page.getByText("You are signed out everywhere.").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("asks for the button: a program that opens the links of a mail uses none up", async () => {
    const link = await askForLink();
    for (let times = 0; times < 3; times++) expect((await send(link)).status).toBe(200);
    const { page } = await openDashboard(browser as Browser, service);
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByText("You are signed out.").waitFor();
  });

  it("takes a link whose button is clicked twice: the browser drops the answer to the first of two forms", async () => {
    const { page } = await openDashboard(browser as Browser, service);
    await page.goto(await askForLink());
    expect(await clickTwice(page, "Sign in", "Overview")).toBe(1);
    await page.goto(new URL(await operatorSignInLink(service.context)).pathname);
    expect(await clickTwice(page, "Sign in", "State of the service")).toBe(1);
  });
});

describe("signing in", () => {
  it("answers the same for an address of a customer and one of nobody", async () => {
    const bodies = await Promise.all(
      [OWNER, "nobody@freight.example", "no address"].map(async (email) => {
        const response = await send("/dashboard/sign-in", { form: { email } });
        const place = response.headers.get("location") ?? "";
        return { status: response.status, place, body: await (await send(place)).text() };
      }),
    );
    expect(new Set(bodies.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  it("gives a session made only now, whatever cookie came along", async () => {
    const planted = `tdf_session=${"A".repeat(43)}`;
    const link = await askForLink();
    const response = await send(link, { form: {}, headers: { cookie: planted } });
    expect(response.headers.getSetCookie()[0]).not.toContain("A".repeat(43));
    expect((await send("/dashboard", { headers: { cookie: planted } })).status).toBe(303);
  });

  it("refuses a link that was used, is too old or was made up", async () => {
    const used = await askForLink();
    await cookieOf(used);
    expect((await send(used, { form: {} })).status).toBe(410);
    const old = await askForLink();
    service.clock.advance(SIGN_IN_LINK_MINUTES * 60_000);
    expect((await send(old, { form: {} })).status).toBe(410);
    for (const token of ["x", "A".repeat(43), "..%2f..", "%00"]) {
      expect((await send(`/dashboard/sign-in/${token}`, { form: {} })).status).toBe(410);
    }
  });

  // Who signed in goes back to the link's page, or opens the mail again.
  it("leads from a used link to the dashboard of who is still signed in", async () => {
    const used = await askForLink();
    const cookie = await cookieOf(used);
    const page = await send(used, { headers: { cookie } });
    expect(page.status).toBe(410);
    const text = await page.text();
    expect(text).toContain(`You are signed in as <strong>${OWNER}</strong>`);
    expect(text).toContain('href="/dashboard">Open the dashboard</a>');
    const stranger = await (await send(used)).text();
    expect(stranger).not.toContain("You are signed in");
    expect(stranger).toContain("Ask for a new link to sign in");
  });

  it("is over for links that were mailed before one signs out everywhere", async () => {
    const visitor = await visitorOf(service, accountId);
    const unused = await askForLink();
    expect((await send(unused)).status).toBe(200);
    await visitor.send("/sign-out-everywhere", {});
    expect((await send(unused, { form: {} })).status).toBe(410);
  });

  it("is refused for a while to a network that asks for too many links", async () => {
    service.clock.advance(16 * 60_000);
    const ask = () => send("/dashboard/sign-in", { form: { email: "nobody@freight.example" } });
    for (let times = 0; times < 20; times++) expect((await ask()).status).toBe(303);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("Try again in");
    service.clock.advance(Number(refused.headers.get("retry-after")) * 1000);
    expect((await ask()).status).toBe(303);
  });

  it("mails nothing to an address with a line break in it", async () => {
    const before = await service.context.db.prisma.mailOutbox.count();
    await send("/dashboard/sign-in", { form: { email: `${OWNER}\r\nBcc: everybody@freight.example` } });
    expect(await service.context.db.prisma.mailOutbox.count()).toBe(before);
  });

  it("sends everybody else to sign in, from every page", async () => {
    for (const path of ["", "/keys", "/usage", "/feeds", "/events", "/webhooks"]) {
      const response = await send(`/dashboard${path}`);
      expect({ path, status: response.status, to: response.headers.get("location") }).toEqual({
        path,
        status: 303,
        to: "/dashboard/sign-in",
      });
    }
  });
});

describe("the page that a person wanted to open before signing in", () => {
  const BACK = "/dashboard/events?type=reinstated";

  /** The cookies that an answer sets, without those that it clears. */
  const cookiesOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .filter((line) => !line.includes("Expires=Thu, 01 Jan 1970"))
      .map((line) => line.split(";")[0] ?? "")
      .join("; ");

  /** Where a browser with these cookies lands by a mailed link, and its session. */
  const landing = async (cookie: string) => {
    const entered = await send(await askForLink(), { form: {}, headers: { cookie } });
    return { to: entered.headers.get("location"), session: cookiesOf(entered) };
  };

  // A mail's link led to the overview when the session had ended.
  it("is shown after signing in, once", async () => {
    const asked = cookiesOf(await send(BACK));
    const { to, session } = await landing(asked);
    expect(to).toBe(BACK);
    const shown = await send(BACK, { headers: { cookie: `${session}; ${asked}` } });
    expect(shown.headers.getSetCookie().join()).toMatch(/^tdf_page=;/);
    const overview = await send("/dashboard", { headers: { cookie: asked } });
    expect(overview.headers.getSetCookie().join()).toMatch(/^tdf_page=;/);
  });

  it("is the one that sent a change or a download, neither of which is repeated", async () => {
    const headers = { referer: `${service.url}${BACK}`, "sec-fetch-site": "same-origin" };
    for (const [path, form] of [
      ["/dashboard/keys", { name: "k" }],
      ["/dashboard/feeds/us_brokers/export.csv", undefined],
    ] as const) {
      const asked = cookiesOf(await send(path, { ...(form && { form }), headers }));
      expect((await landing(asked)).to).toBe(BACK);
    }
  });

  it("is never a download, nor a page of another site", async () => {
    const download = "/dashboard/feeds/us_brokers/export.csv";
    const fromElsewhere = {
      referer: "https://evil.example/dashboard/events",
      "sec-fetch-site": "cross-site",
    };
    for (const headers of [{}, fromElsewhere] as Record<string, string>[]) {
      expect(cookiesOf(await send(download, { headers }))).toBe("");
    }
    for (const path of [
      "//evil.example",
      "https://evil.example",
      "/\\evil.example",
      "/../..//evil.example",
    ]) {
      const planted = `tdf_page=${Buffer.from(path).toString("base64url")}`;
      const { to } = await landing(planted);
      expect(new URL(to ?? "", service.url).origin).toBe(service.url);
    }
  });

  it("is shown after choosing one of several accounts", async () => {
    const other = await service.createAccount();
    await setOwner(service.context, other.accountId, OWNER);
    const asked = cookiesOf(await send(BACK));
    const { to, session } = await landing(asked);
    expect(to).toBe("/dashboard/accounts");
    const cookie = `${session}; ${asked}`;
    const choice = await (await send("/dashboard/accounts", { headers: { cookie } })).text();
    expect(choice).toContain(`href="${BACK}" aria-label="Stay in`);
    const form = { account: String(other.accountId), form_token: await formTokenOf(session) };
    const chosen = await send("/dashboard/accounts", { form, headers: { cookie } });
    expect(chosen.headers.get("location")).toBe(BACK);
    await setOwner(service.context, other.accountId, "other@freight.example");
  });
});
