import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { applyShippedPlansOnce } from "../../../../src/cli/accounts/plan.ts";
import { entryContextOf } from "../../../../src/platform/context.ts";
import { accessLinkTo } from "../../../support/access.ts";
import { runTdf } from "../../../support/processes/command.ts";
import { newAddress } from "../../../support/removals/opt-outs.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

export const OPERATOR = "night@operator.example";
export const DAY_MS = 86_400_000;

export let service: TestService;
let people = 0;
export let email = "";

const TYPED = {
  name: "Ada Lovelace",
  company: "Ada Freight",
  purpose: "Find new carriers.",
  plan: "growth",
  website: "",
};

export const post = (path: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(service.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { "X-Forwarded-For": newAddress(), ...headers },
    body: new URLSearchParams(form),
  });

export const send = (form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  post("/request-access", { ...TYPED, email, ...form }, headers);

export const mailsTo = async (recipient: string): Promise<string[]> => {
  const rows = await service.context.db.prisma.mailOutbox.findMany({
    where: { recipient },
    orderBy: { id: "asc" },
  });
  return rows.map(({ purpose }) => purpose);
};
export const bodyOf = async (recipient: string, purpose: string): Promise<string> =>
  (
    await service.context.db.prisma.mailOutbox.findFirst({
      where: { recipient, purpose },
      orderBy: { id: "desc" },
    })
  )?.body ?? "";
export const requestsOf = (of = email) =>
  service.context.db.prisma.accessRequest.findMany({ where: { email: of } });
export const accountsOf = (of = email) =>
  service.context.db.prisma.account.findMany({ where: { people: { some: { email: of } } } });
export const cookieOf = (answer: Response) => (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
export const read = async (path: string, cookie: string) =>
  (await service.get(path, undefined, { Cookie: cookie })).text();

/** Follows the mailed link and presses its button. Returns the cookie of the session, and the next page, which shows a test key. */
export async function confirm(): Promise<{ cookie: string; next: string }> {
  const path = await accessLinkTo(service.context, email);
  expect((await service.get(path)).status).toBe(200);
  const answer = await post(path);
  const next = answer.headers.get("location") ?? "";
  expect(answer.status).toBe(303);
  expect(next).toMatch(/^\/dashboard\/keys\?shown_once=/);
  return { cookie: cookieOf(answer), next };
}

export const tdf = (...words: string[]) =>
  runTdf({ DATABASE_URL: service.context.config.databaseUrl ?? "", PUBLIC_URL: service.url }, ...words);

/** Starts a service that mails its operator, and gives every test an address of its own. */
export function useRequests(): void {
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
}
