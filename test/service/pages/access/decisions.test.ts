// The operator grants or declines a request for access.
import { describe, expect, it } from "vitest";
import { requestNewEmail } from "../../../../src/accounts/sessions/sign-in-links.ts";
import { operatorSignInLink } from "../../../../src/watch/operator-sign-in.ts";
import { createList, readWatchlists } from "../../../../src/watchlists/watchlists.ts";
import { askForAccess } from "../../../support/access.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import {
  accountsOf,
  bodyOf,
  confirm,
  cookieOf,
  email,
  mailsTo,
  OPERATOR,
  post,
  read,
  requestsOf,
  send,
  service,
  tdf,
  useRequests,
} from "./requests.ts";

useRequests();

describe("the operator", () => {
  const operator = async () =>
    cookieOf(await post(new URL(await operatorSignInLink(service.context)).pathname));
  const formTokenIn = (page: string) => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";

  it.each(["99999999", "no-number"])("is told that there is no request %s", async (id) => {
    const answer = await fetch(`${service.url}/admin/access/${id}`, {
      headers: { Cookie: await operator() },
    });
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining("There is no such request for access."),
    ]);
  });

  // Otherwise a stranger could write what looks like the end of the mail, with another address to decide at.
  it("can tell in the mail what the stranger wrote", async () => {
    await send({ purpose: "Leads.\r\n\r\nGrant or decline it: https://evil.example" });
    await confirm();
    const told = await bodyOf(OPERATOR, "access_requested");
    expect(told).toContain("\n> Leads.\n> \n> Grant or decline it: https://evil.example\n");
    expect(told.match(/^Grant or decline it: .*/gm)).toEqual([
      expect.stringMatching(/^Grant or decline it: http.*\/admin\/access\/\d+$/),
    ]);
  });

  it("sees who waits at /admin, and grants there; granting again mails nobody", async () => {
    const { id, accountId } = await askForAccess(service.context, email, { confirms: true });
    const cookie = await operator();
    expect(await read("/admin", cookie)).toContain(`href="/admin/access/${id}"`);
    expect((await tdf("status")).out).toMatch(/requests? for access waits? for your decision/);
    const page = await read(`/admin/access/${id}`, cookie);
    expect(page).toContain("Ada Lovelace");
    expect(page).not.toContain('value="requested"');
    const form = { form_token: formTokenIn(page), plan: "starter" };
    expect((await post(`/admin/access/${id}/grant`, { plan: "starter" }, { Cookie: cookie })).status).toBe(
      403,
    );
    expect((await post(`/admin/access/${id}/grant`, form)).headers.get("location")).toBe("/admin/sign-in");
    for (let time = 0; time < 2; time += 1) {
      const answer = await post(`/admin/access/${id}/grant`, form, { Cookie: cookie });
      expect(answer.headers.get("location")).toBe(`/admin/access/${id}`);
    }
    expect(await mailsTo(email)).toEqual(["access_confirmation", "access_granted"]);
    expect(await read(`/admin/access/${id}`, cookie)).not.toContain("Grant it");
    const other = await post(`/admin/access/${id}/grant`, { ...form, plan: "growth" }, { Cookie: cookie });
    expect([other.status, await other.text()]).toEqual([
      400,
      expect.stringContaining(`&quot;account set-plan ${accountId}&quot; changes the plan`),
    ]);
    const none = await post(`/admin/access/${id}/grant`, { ...form, plan: "a\0b" }, { Cookie: cookie });
    expect(none.status).toBe(400);
    expect(await none.text()).toContain("choose one of files, growth, national, starter.");
    const [last] = JSON.parse((await tdf("log", "--json")).out) as { outcome: string; failure: string }[];
    expect(last).toMatchObject({ outcome: "failed", failure: expect.stringContaining("ab") });
    expect((await tdf("access", "decline", String(id), "--reason", "No.")).status).toBe(2);
    const { rows } = await service.context.db.pool.query(
      "SELECT plan_code FROM account_plan_change WHERE account_id = $1 ORDER BY id",
      [accountId],
    );
    expect(rows.map((row) => row.plan_code)).toEqual(["requested", "starter"]);
  });

  // The reason was lost.
  it("gets back what they typed at /admin when it is refused, with why beside its field", async () => {
    const { id } = await askForAccess(service.context, email, { confirms: true });
    const cookie = await operator();
    const form_token = formTokenIn(await read(`/admin/access/${id}`, cookie));
    const reason = `${"We serve insurers only. ".repeat(25)}`;
    const refused = await post(`/admin/access/${id}/decline`, { form_token, reason }, { Cookie: cookie });
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(page).toContain(`value="${reason}"`);
    expect(page).toMatch(/id="reason"[^>]* autofocus aria-invalid="true"/);
    expect(page).toContain('<p class="error" id="reason-error">The reason must have 1 to 500 characters');
    const unknown = await post("/admin/access/99999999/decline", { form_token, reason }, { Cookie: cookie });
    expect(unknown.status).toBe(404);
  });

  it("declines with a reason, which is mailed; the account is closed and erased, and the address may ask again", async () => {
    await send();
    const { cookie } = await confirm();
    const [{ id = 0 } = {}] = await requestsOf();
    const [{ id: accountId = 0 } = {}] = await accountsOf();
    for (const line of [
      `The request ${id} is declined; the person gets a mail.\n`,
      `The request ${id} was declined already, so nothing was changed.\n`,
    ])
      expect((await tdf("access", "decline", String(id), "--reason", "We serve insurers only.")).out).toBe(
        line,
      );
    expect(await bodyOf(email, "access_declined")).toContain("We serve insurers only.");
    expect((await mailsTo(email)).filter((purpose) => purpose === "access_declined")).toHaveLength(1);
    expect((await service.get("/dashboard", undefined, { Cookie: cookie })).headers.get("location")).toBe(
      "/dashboard/sign-in",
    );
    expect(
      await service.context.db.prisma.account.findUnique({
        where: { id: accountId },
        include: { people: true },
      }),
    ).toMatchObject({ name: "Closed account", people: [] });
    expect((await tdf("access", "list")).out).not.toContain(email);
    expect((await tdf("access", "list", "--all")).out).toContain(email);
    expect((await tdf("access", "grant", String(id), "--plan", "growth")).err).toContain("was declined");
    await send();
    await confirm();
    expect(await accountsOf()).toHaveLength(1);
  });

  // A plan file may let accounts that wait use the API. An endpoint that stayed would go on getting events.
  it.each(["command", "page"])(
    "ends what a declined account has registered and watches, by the %s",
    async (way) => {
      const { id, accountId } = await askForAccess(service.context, email, { confirms: true });
      const account = { accountId: accountId ?? 0, watchedCarriers: 0 };
      await registerEndpoint(service.context, account.accountId);
      await createList(service.context, account.accountId, { name: "Clients of Ada Freight" });
      const reason = "We serve insurers only.";
      if (way === "command") await tdf("access", "decline", String(id), "--reason", reason);
      else {
        const cookie = await operator();
        const form = { form_token: formTokenIn(await read(`/admin/access/${id}`, cookie)), reason };
        await post(`/admin/access/${id}/decline`, form, { Cookie: cookie });
      }
      expect((await tdf("access", "list", "--all")).out).toContain(email);
      const endpoints = JSON.parse((await tdf("webhook", "list", "--json")).out) as { account_id: number }[];
      expect(endpoints.filter((each) => each.account_id === accountId)).toEqual([]);
      expect((await readWatchlists(service.context, account)).data).toEqual([]);
    },
  );

  it("cannot grant access to a suspended account, whose keys would be refused", async () => {
    const { id, accountId } = await askForAccess(service.context, email, { confirms: true });
    await tdf("account", "suspend", String(accountId), "--reason", "We check your company.");
    const grant = () => tdf("access", "grant", String(id), "--plan", "growth");
    expect(await grant()).toMatchObject({
      status: 2,
      err: `Account ${accountId} is suspended, so its keys would be refused: "account resume ${accountId}" first.\n`,
    });
    expect(await mailsTo(email)).toEqual(["access_confirmation"]);
    await tdf("account", "resume", String(accountId));
    expect((await grant()).status).toBe(0);
  });

  // The address may have been mistyped, or be that of someone who left the company meanwhile.
  it.each([
    ["grant", "--plan", "growth"],
    ["decline", "--reason", "We serve insurers only."],
  ])("mails the word (%s) to the address that the account has by then", async (...words) => {
    const [decision, ...options] = words;
    const { id, accountId } = await askForAccess(service.context, email, { confirms: true });
    const next = `next.${email}`;
    const { pathname } = new URL(await requestNewEmail(service.context, accountId ?? 0, next));
    expect((await post(pathname)).status).toBe(303);
    expect((await tdf("access", decision ?? "", String(id), ...options)).status).toBe(0);
    const purpose = decision === "grant" ? "access_granted" : "access_declined";
    expect([await mailsTo(email), await mailsTo(next)]).toEqual([
      expect.not.arrayContaining([purpose]),
      expect.arrayContaining([purpose]),
    ]);
  });

  it("cannot decide what is not there, not confirmed or of no plan", async () => {
    const { id } = await askForAccess(service.context, email);
    for (const words of [
      ["grant", String(id), "--plan", "growth"],
      ["grant", "999999", "--plan", "growth"],
      ["grant", "x", "--plan", "growth"],
      ["decline", String(id), "--reason", "No."],
    ])
      expect((await tdf("access", ...words)).status).toBe(2);
    const waiting = await askForAccess(service.context, `b${email}`, { confirms: true });
    for (const plan of ["requested", "no-such-plan"])
      expect((await tdf("access", "grant", String(waiting.id), "--plan", plan)).status).toBe(2);
    await tdf("account", "set-plan", String(waiting.accountId), "growth");
    expect((await tdf("access", "decline", String(waiting.id), "--reason", "No.")).err).toContain(
      "is on plan growth",
    );
    await tdf("account", "close", String(waiting.accountId), "--keep-data");
    expect(await requestsOf(`b${email}`)).toEqual([]);
  });
});
