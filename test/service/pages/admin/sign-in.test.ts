// The operator's sign-in: a link to one address, valid once, which customers' sessions never replace.
import { afterAll, beforeAll, expect, it } from "vitest";
import { signInLink } from "../../../../src/accounts/sessions/sign-in-links.ts";
import { operatorSignInLink } from "../../../../src/watch/operator-sign-in.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { runTdf } from "../../../support/processes/command.ts";
import { putRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const OPERATOR = "night@operator.example";
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: { OPERATOR_EMAIL: OPERATOR } });
});
afterAll(() => service.stop());

const post = (path: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(service.url + path, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(form),
    redirect: "manual",
  });
const cookieOf = (answer: Response) => (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
const pathOf = (url: string) => new URL(url).pathname;
const admin = (cookie: string, path = "/admin") => service.get(path, undefined, { Cookie: cookie });
const mails = () => service.context.db.prisma.mailOutbox.findMany({ where: { purpose: "operator_sign_in" } });

it("answers every address alike, and mails the operator's alone, three links at most", async () => {
  const answers = [];
  for (const email of ["somebody@else.example", "not an address", OPERATOR, ` ${OPERATOR.toUpperCase()} `]) {
    const answer = await post("/admin/sign-in", { email });
    answers.push([answer.status, answer.headers.get("location"), await answer.text()]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.slice(0, 2)).toEqual([303, "/admin/sign-in?sent"]);
  expect((await mails()).map(({ recipient }) => recipient)).toEqual([OPERATOR, OPERATOR]);
  for (let more = 0; more < 3; more += 1) await post("/admin/sign-in", { email: OPERATOR });
  expect(await mails()).toHaveLength(3);
});

it("mails another link to an operator who used theirs, ten in the same time at most", async () => {
  service.clock.advance(3_600_000);
  const before = (await mails()).length;
  for (let times = 0; times < 12; times += 1) {
    await post("/admin/sign-in", { email: OPERATOR });
    const newest = (await mails()).at(-1);
    await post(pathOf(/https?:\S+/.exec(newest?.body ?? "")?.[0] ?? ""));
  }
  expect(await mails()).toHaveLength(before + 10);
});

it("refuses a client that asks too often, with customers' links in the same count", async () => {
  const statuses: number[] = [];
  for (let more = 0; more < 20; more += 1)
    statuses.push((await post("/admin/sign-in", { email: "a@b.example" })).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await post("/dashboard/sign-in", { email: "a@b.example" })).status).toBe(429);
});

it("opens a session by a link once; a page that is only looked at uses no link", async () => {
  const path = pathOf(await operatorSignInLink(service.context));
  expect((await service.get(path)).status).toBe(200);
  const opened = await post(path);
  expect([opened.status, opened.headers.get("location")]).toEqual([303, "/admin"]);
  const page = await admin(cookieOf(opened));
  expect(page.status).toBe(200);
  expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect((await post(path)).status).toBe(410);
  expect((await post("/admin/sign-in/nonsense")).status).toBe(410);
});

it("keeps the operator's sessions and customers' apart", async () => {
  const { accountId } = await service.createAccount();
  const customer = cookieOf(await post(pathOf(await signInLink(service.context, accountId))));
  const operator = cookieOf(await post(pathOf(await operatorSignInLink(service.context))));
  const token = (cookie: string) => cookie.split("=")[1] ?? "";
  expect((await admin(customer)).headers.get("location")).toBe("/admin/sign-in");
  expect((await admin(`tdf_operator=${token(customer)}`)).headers.get("location")).toBe("/admin/sign-in");
  expect((await admin(`tdf_session=${token(operator)}`, "/dashboard")).headers.get("location")).toBe(
    "/dashboard/sign-in",
  );
  expect((await admin("", "/admin/imports/1")).headers.get("location")).toBe("/admin/sign-in");
});

it("signs out by the page's own form alone, and by a command", async () => {
  const cookie = cookieOf(await post(pathOf(await operatorSignInLink(service.context))));
  expect((await post("/admin/sign-out", {}, { Cookie: cookie })).status).toBe(403);
  const elsewhere = { Cookie: cookie, Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
  expect((await post("/admin/sign-in", { email: OPERATOR }, elsewhere)).status).toBe(403);
  const form_token = /name="form_token" value="([^"]+)"/.exec(await (await admin(cookie)).text())?.[1] ?? "";
  expect((await post("/admin/sign-out", { form_token }, elsewhere)).status).toBe(403);
  expect((await admin(cookie)).status).toBe(200);
  expect((await post("/admin/sign-out", { form_token }, { Cookie: cookie })).headers.get("location")).toBe(
    "/admin/sign-in",
  );
  expect((await admin(cookie)).status).toBe(303);

  const other = cookieOf(await post(pathOf(await operatorSignInLink(service.context))));
  const DATABASE_URL = service.context.config.databaseUrl ?? "";
  const { out } = await runTdf({ DATABASE_URL }, "admin", "sign-out");
  expect(out).toMatch(/^\d+ sessions? (was|were) ended\.\n$/);
  expect((await admin(other)).status).toBe(303);
  const printed = await runTdf({ DATABASE_URL, PUBLIC_URL: service.url }, "admin", "sign-in");
  const url = printed.out.split("\n")[0] ?? "";
  expect((await admin(cookieOf(await post(pathOf(url))))).status).toBe(200);
});

it("ends after twelve hours without use", async () => {
  const cookie = cookieOf(await post(pathOf(await operatorSignInLink(service.context))));
  service.clock.advance(11 * 3_600_000);
  expect((await admin(cookie)).status).toBe(200);
  service.clock.advance(13 * 3_600_000);
  expect((await admin(cookie)).status).toBe(303);
});

it("no page for customers links to it", async () => {
  for (const path of ["/", "/status", "/dashboard/sign-in", "/llms.txt"])
    expect(await (await service.get(path)).text(), path).not.toContain("/admin");
});

// It promised a number that was not there, and the log had none either.
it("shows the request's number when a page fails, and logs it", async () => {
  const { log, lines } = memoryLog();
  const failing = await startTestService({ log });
  await putRows(failing.context.db.pool, "import_run", {
    id: 7,
    status: "published",
    folder: "/x",
    started_at: new Date(),
    report: JSON.stringify({ feeds: 1 }),
  });
  const path = pathOf(await operatorSignInLink(failing.context));
  const opened = await fetch(failing.url + path, { method: "POST", redirect: "manual" });
  const answer = await failing.get("/admin/imports/7", undefined, { Cookie: cookieOf(opened) });
  const requestId = answer.headers.get("x-request-id");
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining(`<code>${requestId}`)]);
  expect(JSON.stringify(lines())).toContain(`"requestId":"${requestId}"`);
  await failing.stop();
});
