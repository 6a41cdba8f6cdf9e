// A stranger requests access by the form, confirms the address, and waits; the operator grants or declines.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { requestNewEmail } from "../../../../src/accounts/sessions/sign-in-links.ts";
import { applyShippedPlansOnce } from "../../../../src/cli/accounts/plan.ts";
import { MAILS } from "../../../../src/cli/service/mails.ts";
import { entryContextOf } from "../../../../src/platform/context.ts";
import { startMailer } from "../../../../src/platform/mail/mailer.ts";
import { keepTables } from "../../../../src/retention/upkeep.ts";
import { operatorSignInLink } from "../../../../src/watch/operator-sign-in.ts";
import { createList, readWatchlists } from "../../../../src/watchlists/watchlists.ts";
import { accessLinkTo, askForAccess } from "../../../support/access.ts";
import { runTdf } from "../../../support/processes/command.ts";
import { newAddress } from "../../../support/removals/opt-outs.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { visitorOf } from "../../../support/visitor.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

const OPERATOR = "night@operator.example";
const DAY_MS = 86_400_000;

let service: TestService;
let people = 0;
let email = "";
beforeAll(async () => {
  service = await startTestService({
    hasTestMode: true,
    env: { TRUST_PROXY_HOPS: "1", OPERATOR_EMAIL: OPERATOR },
  });
  await applyShippedPlansOnce(entryContextOf(service.context));
});
afterAll(() => service.stop());
beforeEach(() => {
  people += 1;
  email = `person${people}@company${people}.example`;
});

const TYPED = {
  name: "Ada Lovelace",
  company: "Ada Freight",
  purpose: "Find new carriers.",
  plan: "growth",
  website: "",
};

const post = (path: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(service.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { "X-Forwarded-For": newAddress(), ...headers },
    body: new URLSearchParams(form),
  });

const send = (form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  post("/request-access", { ...TYPED, email, ...form }, headers);

const mailsTo = async (recipient: string): Promise<string[]> => {
  const rows = await service.context.db.prisma.mailOutbox.findMany({
    where: { recipient },
    orderBy: { id: "asc" },
  });
  return rows.map(({ purpose }) => purpose);
};
const bodyOf = async (recipient: string, purpose: string): Promise<string> =>
  (
    await service.context.db.prisma.mailOutbox.findFirst({
      where: { recipient, purpose },
      orderBy: { id: "desc" },
    })
  )?.body ?? "";
const requestsOf = (of = email) => service.context.db.prisma.accessRequest.findMany({ where: { email: of } });
const accountsOf = (of = email) =>
  service.context.db.prisma.account.findMany({ where: { people: { some: { email: of } } } });
const cookieOf = (answer: Response) => (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
const read = async (path: string, cookie: string) =>
  (await service.get(path, undefined, { Cookie: cookie })).text();

/** Follows the mailed link and presses its button. Returns the cookie of the session, and the next page, which shows a test key. */
async function confirm(): Promise<{ cookie: string; next: string }> {
  const path = await accessLinkTo(service.context, email);
  expect((await service.get(path)).status).toBe(200);
  const answer = await post(path);
  const next = answer.headers.get("location") ?? "";
  expect(answer.status).toBe(303);
  expect(next).toMatch(/^\/dashboard\/keys\?shown_once=/);
  return { cookie: cookieOf(answer), next };
}

const tdf = (...words: string[]) =>
  runTdf({ DATABASE_URL: service.context.config.databaseUrl ?? "", PUBLIC_URL: service.url }, ...words);

describe("the way of a stranger", () => {
  it("leads from the front page by mail to a dashboard that says what it waits for, and then to live data", async () => {
    expect(await (await service.get("/")).text()).toContain('href="/request-access"');
    expect(await (await service.get("/pricing")).text()).toContain('href="/request-access?plan=growth"');
    expect(await (await service.get("/request-access?plan=growth")).text()).toContain(
      'value="growth" selected',
    );
    const answer = await send();
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/request-access?sent"]);
    expect(await mailsTo(OPERATOR)).toEqual([]);

    const { cookie, next } = await confirm();
    const [testKey = ""] = /tdf_test_\w+/.exec(await read(next, cookie)) ?? [];
    const tried = await service.get("/v1/feeds/us_brokers/records", testKey);
    expect([tried.status, tried.headers.get("x-test-mode")]).toEqual([200, "true"]);
    expect(await read("/dashboard", cookie)).toMatch(/Your account waits for live data[\s\S]*each feed/);
    expect(await read("/dashboard/feeds", cookie)).toContain("Your account waits for live data");
    const [account] = await accountsOf();
    expect(account).toMatchObject({ name: "Ada Freight", planCode: "requested" });
    const [request] = await requestsOf();
    expect(await mailsTo(OPERATOR)).toEqual(["access_requested"]);
    const told = await bodyOf(OPERATOR, "access_requested");
    for (const words of [email, "Ada Lovelace", "Find new carriers.", `/admin/access/${request?.id}`])
      expect(told).toContain(words);

    expect((await tdf("access", "grant", String(request?.id), "--plan", "growth")).out).toBe(
      `Account ${account?.id} is on plan growth now; the person gets a mail.\n`,
    );
    expect((await tdf("access", "grant", String(request?.id), "--plan", "growth")).out).toBe(
      `The request ${request?.id} was granted with the plan growth already, so nothing was changed.\n`,
    );
    expect(await mailsTo(email)).toEqual(["access_confirmation", "access_granted"]);
    expect(await read("/dashboard", cookie)).not.toContain("waits for live data");
    const { key } = await service.createKey(account?.id ?? 0);
    const feeds = await (await service.get("/v1/feeds", key)).json();
    expect((feeds as { data: unknown[] }).data).toHaveLength(4);
  });

  it("mails the link, not its use: opening it opens nothing, and it works once", async () => {
    await send();
    const path = await accessLinkTo(service.context, email);
    await service.get(path);
    expect(await accountsOf()).toEqual([]);
    await confirm();
    for (const answer of [
      await service.get(path),
      await post(path),
      await post("/request-access/nonsense"),
    ]) {
      expect(answer.status).toBe(410);
    }
    expect(await accountsOf()).toHaveLength(1);
  });

  // The mail would have the name of the company, which anybody may type.
  it("mails nobody else before access is granted: colleagues are invited afterwards", async () => {
    const { id, accountId } = await askForAccess(service.context, email, { confirms: true });
    const visitor = await visitorOf(service, accountId ?? 0);
    const invite = () => visitor.send("/people", { email: `colleague.${email}`, role: "member" });
    // The page had a form that could only fail.
    const { text: people } = await visitor.open("/people");
    expect(people).toContain("You can invite people once your request for access is granted.");
    expect(people).not.toContain("<button>Invite</button>");
    const refused = await invite();
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("You can invite people once your request for access is granted."),
    ]);
    expect(await mailsTo(`colleague.${email}`)).toEqual([]);
    await tdf("access", "grant", String(id), "--plan", "growth");
    expect((await visitor.open("/people")).text).toContain("<button>Invite</button>");
    expect((await invite()).status).toBe(200);
    expect(await mailsTo(`colleague.${email}`)).toEqual(["person_invited"]);
  });

  it("ends after 72 hours without the link", async () => {
    await send();
    const path = await accessLinkTo(service.context, email);
    service.clock.advance(3 * DAY_MS + 1);
    expect([(await service.get(path)).status, (await post(path)).status]).toEqual([410, 410]);
    service.clock.advance(-3 * DAY_MS - 1);
  });

  it("makes one account of an address, however many links are followed at once", async () => {
    await send();
    const first = await accessLinkTo(service.context, email);
    await send({ company: "Bea Freight" });
    const second = await accessLinkTo(service.context, email);
    expect(second).not.toBe(first);
    const answers = await Promise.all([first, second, first, second].map((path) => post(path)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await accountsOf()).toHaveLength(1);
    expect(await requestsOf()).toHaveLength(1);
  });
});

describe("the form", () => {
  it("tells nobody whether an address has an account: its owner gets a link that signs in", async () => {
    await askForAccess(service.context, email, { confirms: true });
    const known = await send();
    const unknown = await send({ email: "nobody@elsewhere.example" });
    const seen = async (answer: Response) => [
      answer.status,
      answer.headers.get("location"),
      await answer.text(),
    ];
    expect(await seen(known)).toEqual(await seen(unknown));
    expect(await mailsTo(email)).toEqual(["access_confirmation", "sign_in"]);
    expect(await requestsOf()).toHaveLength(1);
  });

  it("says what is wrong beside each field, keeps what was typed, escaped, and sends nothing", async () => {
    const answer = await send({
      name: "",
      email: `"><script>`,
      purpose: "x".repeat(1_001),
      company: "a\u202eb",
    });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).not.toContain("<script>alert");
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;"');
    for (const words of [
      "Your name: Write your name.",
      "Work e-mail address: It must look like name@company.com.",
      "It must have at most 1,000 characters.",
      "Company: It must not have control characters.",
    ])
      expect(page).toContain(words);
    expect(page.match(/aria-invalid="true"/g)).toHaveLength(4);
    expect(await requestsOf(`"><script>`)).toEqual([]);
  });

  it("counts characters, as the sentence about their number does", async () => {
    expect((await send({ purpose: "🚚".repeat(1_000) })).status).toBe(303);
    expect((await send({ purpose: "🚚".repeat(1_001) })).status).toBe(400);
  });

  it("takes no request from a page of another site, or from a program that fills in the hidden field", async () => {
    expect((await send({}, { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" })).status).toBe(
      403,
    );
    expect((await send({ website: "https://spam.example" })).headers.get("location")).toBe(
      "/request-access?sent",
    );
    expect(await requestsOf()).toEqual([]);
    expect(await mailsTo(email)).toEqual([]);
  });

  it("mails an address three times a day at most, however it is spelt, and a client's requests are limited", async () => {
    const [local, domain] = email.split("@");
    for (const spelling of [
      email,
      `${local}+a@${domain}`,
      email.toUpperCase(),
      `${local}+b@${domain}`,
      email,
    ]) {
      expect((await send({ email: spelling })).status).toBe(303);
    }
    const mailed = await service.context.db.prisma.accessRequest.count({ where: { mailbox: email } });
    expect(mailed).toBe(3);
    const address = newAddress();
    const statuses: number[] = [];
    for (let request = 0; request < 21; request += 1)
      statuses.push((await send({ email }, { "X-Forwarded-For": address })).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(303));
    const refused = await send({ email }, { "X-Forwarded-For": address });
    expect([statuses[20], refused.status]).toEqual([429, 429]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('value="Ada Lovelace"');
  });

  it("wishes no plan that is not listed", async () => {
    await send({ plan: "no-such-plan" });
    expect((await requestsOf())[0]?.wishedPlan).toBeNull();
  });
});

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

// The address may be of somebody who asked for nothing, and sent mails are kept for 90 days.
it("keeps the address of a stranger in no mail that was sent", async () => {
  await askForAccess(service.context, email);
  expect(await mailsTo(email)).toEqual(["access_confirmation"]);
  const mailer = startMailer(service.context, { ...MAILS, pollEveryMs: 20 });
  try {
    await vi.waitFor(async () => expect(await mailsTo(email)).toEqual([]), { timeout: 20_000 });
  } finally {
    await mailer.stop();
  }
});

it("forgets what nobody confirmed after a day, and what was decided after 90 days", async () => {
  await askForAccess(service.context, `late.${email}`);
  const waiting = await askForAccess(service.context, `waits.${email}`, { confirms: true });
  const granted = await askForAccess(service.context, `granted.${email}`, { confirms: true });
  await tdf("access", "grant", String(granted.id), "--plan", "growth");
  const kept = async () => {
    await keepTables(service.context);
    const rows = await service.context.db.prisma.accessRequest.findMany({
      where: { email: { endsWith: email } },
    });
    return rows.map(({ email: of }) => of.split(".")[0]);
  };
  expect(await kept()).toEqual(["late", "waits", "granted"]);
  service.clock.advance(4 * DAY_MS + 1);
  expect(await kept()).toEqual(["waits", "granted"]);
  // The command decided by the real clock.
  await service.context.db.prisma.accessRequest.update({
    where: { id: granted.id },
    data: { decidedAt: service.clock.now() },
  });
  service.clock.advance(90 * DAY_MS + 1);
  expect(await kept()).toEqual(["waits"]);
  expect(waiting.accountId).not.toBeNull();
});
