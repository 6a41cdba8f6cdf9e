// A stranger requests access by the form, confirms the address, and waits.
import { describe, expect, it, vi } from "vitest";
import { MAILS } from "../../../../src/cli/service/mails.ts";
import { startMailer } from "../../../../src/platform/mail/mailer.ts";
import { keepTables } from "../../../../src/retention/upkeep.ts";
import { accessLinkTo, askForAccess } from "../../../support/access.ts";
import { newAddress } from "../../../support/removals/opt-outs.ts";
import { visitorOf } from "../../../support/visitor.ts";
import {
  accountsOf,
  bodyOf,
  confirm,
  DAY_MS,
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
    // They opened the account themselves, and were sent to the person who opened it for them.
    for (const page of ["feeds", "events", "watchlists"])
      expect(await read(`/dashboard/${page}`, cookie)).toContain("follows from your request for access");
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
    await tdf("account", "set-plan", String(account?.id), "files");
    expect(await read("/dashboard", cookie)).toContain(
      "For files or the API, ask the operator of this service",
    );
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
