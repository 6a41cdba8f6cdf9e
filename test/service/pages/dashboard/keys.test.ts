import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { flushUsage } from "../../../../src/accounts/usage/usage-counter.ts";
import { setOwner } from "../../../support/accounts.ts";
import { clickTwice, expectGoodLooks, openDashboard, signIn } from "../../../support/dashboard.ts";
import { untilLockWait } from "../../../support/database.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { visitorOf } from "../../../support/visitor.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;
let page: Page;

beforeAll(async () => {
  service = await startTestService({ hasTestMode: true });
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

/** A customer without a key, signed in. */
async function newCustomer(email: string): Promise<number> {
  const { accountId, keyId } = await service.createAccount({
    feeds: { us_brokers: null },
    rowsPerMonth: 1_000,
  });
  await setOwner(service.context, accountId, email);
  await service.context.db.prisma.apiKey.delete({ where: { id: keyId } });
  ({ page } = await openDashboard(browser as Browser, service));
  await signIn(page, service, email);
  return accountId;
}

/** The names of the first steps that the overview shows as done. */
const stepsDone = (page: Page): Promise<string[]> => page.locator(".steps .done strong").allTextContents();

describe.skipIf(browser === null)("a new customer", () => {
  it("makes a key, sees it once, and its curl line works; revoked, it is refused at once", async () => {
    await newCustomer("new@freight.example");
    await page.getByRole("heading", { name: "Start here" }).waitFor();
    expect(await stepsDone(page)).toEqual([]);
    await page.getByRole("link", { name: "Make a key" }).click();
    await page.getByText("No key yet").waitFor();
    await page.getByLabel("What the key is for").fill("Nightly <sync>");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByRole("heading", { name: "Your new key" }).waitFor();
    await expectGoodLooks(page, "keys-new");

    const curl = (await page.locator("#new-key-curl").textContent()) ?? "";
    const line = curl.replace(service.context.config.publicUrl, service.url);
    const { stdout } = await promisify(execFile)("bash", ["-c", `${line} --silent --fail`]);
    expect(JSON.parse(stdout).data).toHaveLength(1);
    const key = (await page.locator("#new-key").textContent()) ?? "";
    await page.getByRole("button", { name: "Copy the key" }).click();

    // The browser may ask whether to send the form again only where the page came of sending one.
    expect(page.url()).not.toContain(key.slice(9));
    await page.reload();
    await page.getByText("Your new key was already shown once.").waitFor();
    expect(await page.getByRole("rowheader", { name: "Nightly <sync>", exact: true }).count()).toBe(1);
    await page.goto("/dashboard/keys");
    expect(await page.content()).not.toContain(key.slice(18));
    expect(await page.getByRole("rowheader", { name: "Nightly <sync>", exact: true }).count()).toBe(1);

    await flushUsage(service.context);
    await page.goto("/dashboard");
    expect(await stepsDone(page)).toEqual(["Make an API key", "Call the API"]);

    await page.goto("/dashboard/keys");
    await page.getByRole("link", { name: "Revoke Nightly <sync>" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("The key is revoked.").waitFor();
    await page.getByText("revoked", { exact: true }).waitFor();
    await expectGoodLooks(page, "keys");
    expect((await service.get("/v1/feeds", key)).status).toBe(401);
  });

  it("is told why a name cannot be", async () => {
    await newCustomer("names@freight.example");
    await page.goto("/dashboard/keys");
    await page.getByLabel("What the key is for").fill("   ");
    await page.getByRole("button", { name: "Make a key" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("1 to 100 characters");
  });

  it("makes one key and rotates it once when the button is clicked twice, and again on the way back", async () => {
    const accountId = await newCustomer("twice@freight.example");
    await page.goto("/dashboard/keys");
    await page.getByLabel("What the key is for").fill("Once");
    expect(await clickTwice(page, "Make a key", "Your new key")).toBe(1);
    const key = (await page.locator("#new-key").textContent()) ?? "";
    expect(await service.context.db.prisma.apiKey.count({ where: { accountId } })).toBe(1);

    await page.goto(`/dashboard/keys/${key.split("_")[2]}/rotate`);
    expect(await clickTwice(page, "Rotate the key", "Your new key")).toBe(1);
    const rotated = (await page.locator("#new-key").textContent()) ?? "";
    for (const each of [key, rotated]) expect((await service.get("/v1/feeds", each)).status).toBe(200);

    await page.goBack();
    await page.getByRole("button", { name: "Rotate the key" }).click();
    await page.getByRole("heading", { name: "Your new key" }).waitFor();
  });

  it("makes and rotates a test key, which reads test mode alone; revoked, it is refused at once", async () => {
    await newCustomer("tries@freight.example");
    await page.goto("/dashboard/keys");
    // The first test key of an installation takes longer than a click waits for the next page.
    await page.getByRole("button", { name: "Make a test key" }).click({ noWaitAfter: true });
    await page.getByRole("heading", { name: "Your new key" }).waitFor({ timeout: 120_000 });
    await expectGoodLooks(page, "keys-test");
    const key = (await page.locator("#new-key").textContent()) ?? "";
    const [, , keyId] = key.split("_");
    const answer = await service.get("/v1/feeds/us_brokers/records", key);
    expect([answer.status, answer.headers.get("x-test-mode")]).toEqual([200, "true"]);
    await page.goto(`/dashboard/keys/${keyId}/rotate`);
    await page.getByLabel("How long the old secret still works").selectOption("0");
    await page.getByRole("button", { name: "Rotate the key" }).click();
    await page.getByText("The old secret has ended.").waitFor();
    const rotated = (await page.locator("#new-key").textContent()) ?? "";
    expect(rotated).toContain(`tdf_test_${keyId}_`);
    const statusOf = async (tried: string) => (await service.get("/v1/feeds", tried)).status;
    expect([await statusOf(key), await statusOf(rotated)]).toEqual([401, 200]);
    await page.goto("/dashboard/keys");
    await page.getByText("No key yet").waitFor();
    await page.getByRole("link", { name: "Revoke Test" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("The key is revoked.").waitFor();
    expect(await statusOf(rotated)).toBe(401);
    await page.goto("/dashboard/people/log");
    await page.getByText(`gave the test key tdf_test_${keyId} a new secret`).waitFor();
  });
});

it("a page that is older than a rotation ends no secret that still works, of live keys and test keys", async () => {
  const { accountId, key: live } = await service.createAccount({ feeds: { us_brokers: null } });
  const visitor = await visitorOf(service, accountId);
  const keyIn = (text: string) => /tdf_(?:live|test)_\w+_\w{10,}/.exec(text)?.[0] ?? "";
  const test = keyIn((await visitor.send("/keys/test", { name: "T" })).text);
  const statusesOf = (...keys: string[]) =>
    Promise.all(keys.map(async (key) => (await service.get("/v1/feeds", key)).status));
  for (const key of [live, test]) {
    const path = `/keys/${key.split("_")[2]}/rotate`;
    const shown = async () =>
      /name="secret_mark" value="([^"]*)"/.exec((await visitor.open(path)).text)?.[1] ?? "none";
    const form = { grace: "3600", secret_mark: await shown() };
    const rotated = keyIn((await visitor.send(path, form)).text);
    const refused = await visitor.send(path, form);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(
      "The secret was rotated since this page was loaded, so nothing was changed",
    );
    expect(await statusesOf(key, rotated)).toEqual([200, 200]);
    const again = keyIn((await visitor.send(path, { ...form, secret_mark: await shown() })).text);
    expect(await statusesOf(key, rotated, again)).toEqual([401, 200, 200]);
    // No secret is left that the page could end unseen, so the passing of time refuses nothing.
    const before = await shown();
    service.clock.advance(2 * 3_600_000);
    const older = { grace: "0", secret_mark: before };
    const newest = keyIn((await visitor.send(path, older)).text);
    expect(await statusesOf(again, newest)).toEqual([401, 200]);
    // Nor is a working secret ended that came without a grace.
    const repeated = await visitor.send(path, older);
    expect(repeated.status).toBe(409);
    expect(repeated.text).toContain("The secret was rotated since this page was loaded");
    expect(repeated.text).not.toContain("still works");
    expect(await statusesOf(newest)).toEqual([200]);
  }
});

it("a new key is shown by only one of two pages that are loaded at the same time", async () => {
  const { accountId } = await service.createAccount({ feeds: { us_brokers: null } });
  const visitor = await visitorOf(service, accountId);
  const token = /name="form_token" value="([^"]+)"/.exec((await visitor.open("/keys")).text)?.[1] ?? "";
  const made = await visitor.post("/keys/test", new URLSearchParams({ name: "T", form_token: token }));
  const page = (made.headers.get("location") ?? "").replace(/^.*\/dashboard/, "");
  const { bulkPool, bulkTransaction } = service.context.db;
  const pages = await bulkTransaction(async (client) => {
    // Both find the note before one of them takes it.
    await client.query("SELECT FROM dashboard_note FOR UPDATE");
    const loading = [visitor.open(page), visitor.open(page)];
    await untilLockWait(bulkPool, null, 2);
    return loading;
  });
  const shown = (await Promise.all(pages)).map(({ text }) => /tdf_test_\w+_\w{20,}/.test(text));
  expect(shown.sort()).toEqual([false, true]);
});
