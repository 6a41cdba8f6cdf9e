import { describe, expect, it } from "vitest";
import { setOwner } from "../../../../support/accounts.ts";
import { mailedSignIn } from "../../../../support/dashboard.ts";
import { startTestService } from "../../../../support/service.ts";
import { askForLink, cookieOf, formTokenOf, OWNER, send, useOwner } from "./signing-in.ts";

useOwner();

describe("a change", () => {
  // It was dropped without a word.
  it("of a session that has ended says that nothing was changed; signing out again does not", async () => {
    const sent = await send("/dashboard/keys", { form: { name: "k", form_token: "old" } });
    expect(sent.status).toBe(303);
    const shown = await (await send(sent.headers.get("location") ?? "")).text();
    expect(shown).toContain("You were not signed in any more, so nothing was changed.");
    const again = await send("/dashboard/sign-out", { form: { form_token: "old" } });
    expect(again.headers.get("location")).toBe("/dashboard/sign-in");
  });

  it("needs the session's own form token", async () => {
    const cookie = await cookieOf(await askForLink());
    const other = await formTokenOf(await cookieOf(await askForLink()));
    for (const form_token of ["", "x", other]) {
      const response = await send("/dashboard/keys", {
        form: { name: "k", form_token },
        headers: { cookie },
      });
      expect(response.status).toBe(403);
    }
    const own = { name: "k", scopes: "feeds:read", form_token: await formTokenOf(cookie) };
    expect((await send("/dashboard/keys", { form: own, headers: { cookie } })).status).toBe(303);
  });

  it.each([
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("is refused when it comes from elsewhere: %j", async (headers) => {
    const cookie = await cookieOf(await askForLink());
    const form = { name: "k", form_token: await formTokenOf(cookie) };
    const response = await send("/dashboard/keys", {
      form,
      headers: { cookie, ...headers } as Record<string, string>,
    });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("nothing was changed");
  });

  // The page had no menu, and said to send the same form again.
  it.each([
    ["32 KiB", { name: "k".repeat(40_000) }],
    ["300 fields", Object.fromEntries(Array.from({ length: 301 }, (_, index) => [`f${index}`, ""]))],
  ])("may hold %s and no more", async (_, fields) => {
    const cookie = await cookieOf(await askForLink());
    const form = { ...fields, form_token: await formTokenOf(cookie) };
    const refused = await send("/dashboard/keys", { form, headers: { cookie } });
    expect(refused.status).toBe(413);
    const page = await refused.text();
    expect(page).toContain("The form is too large, so nothing was changed.");
    expect(page).toContain('aria-label="Dashboard"');
  });
});

describe("every page", () => {
  it("is kept by nobody, framed by nobody, and takes scripts and styles from here alone", async () => {
    const { headers } = await send("/dashboard/sign-in");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe|\*|https?:/);
  });

  it("that is not there says so", async () => {
    const response = await send("/dashboard/nowhere");
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("There is no such page.");
  });

  // A refused form stays at its own address, where Enter in the address bar said that there is no such page.
  it.each([
    ["/webhooks/7/test", "/webhooks/7"],
    ["/webhooks/7/deliveries/9/resend", "/webhooks/7/deliveries/9"],
    ["/people/7/role", "/people/7"],
    ["/people/invitations/7/again", "/people"],
    ["/watchlists/7/remove", "/watchlists/7"],
    ["/carriers/77/watch", "/carriers/77"],
    ["/keys/test", "/keys"],
    ["/feeds/views/delete", "/feeds"],
    ["/sign-out", "/"],
  ])("that only takes a form, %s, leads to the page that has it", async (form, page) => {
    const response = await send(`/dashboard${form}`);
    const shown = `/dashboard${page}`.replace(/\/$/, "");
    expect([response.status, response.headers.get("location")]).toEqual([303, shown]);
  });

  it("has the menu for who is signed in, also where something is wrong", async () => {
    const cookie = await cookieOf(await askForLink());
    for (const [path, status] of [
      ["/nowhere", 404],
      ["/webhooks/999999", 404],
      ["/feeds/none", 403],
    ]) {
      const response = await send(`/dashboard${path}`, { headers: { cookie } });
      expect({ path, status: response.status }).toEqual({ path, status });
      expect(await response.text()).toContain('aria-label="Dashboard"');
    }
    expect(await (await send("/dashboard/nowhere")).text()).not.toContain('aria-label="Dashboard"');
  });

  // Express refuses such an address before any route, and the page blamed a form.
  it.each(["/feeds/%ff", "/sign-in/%ff", "/invitations/%ff"])(
    "that cannot be decoded is not there: %s",
    async (path) => {
      const cookie = await cookieOf(await askForLink());
      for (const headers of [{ cookie }, {}] as Record<string, string>[]) {
        const response = await send(`/dashboard${path}`, { headers });
        expect(response.status).toBe(404);
        const page = await response.text();
        expect(page).toContain("There is no such page.");
        expect(page.includes('aria-label="Dashboard"')).toBe("cookie" in headers);
      }
    },
  );

  it("has a secure cookie where the public address is https", async () => {
    const secure = await startTestService({ env: { PUBLIC_URL: "https://api.example.com" } });
    try {
      const { accountId: id } = await secure.createAccount();
      await setOwner(secure.context, id, OWNER);
      await fetch(`${secure.url}/dashboard/sign-in`, {
        method: "POST",
        body: new URLSearchParams({ email: OWNER }),
      });
      const link = await mailedSignIn(secure, OWNER);
      const response = await fetch(secure.url + link, { method: "POST", redirect: "manual" });
      expect(response.headers.getSetCookie()[0]).toMatch(
        /^__Host-tdf_session=[\w-]{43}; Max-Age=2592000; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
      );
    } finally {
      await secure.stop();
    }
  });
});
