import { afterAll, beforeAll, expect } from "vitest";
import { setOwner } from "../../../../support/accounts.ts";
import { mailedSignIn } from "../../../../support/dashboard.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

export const OWNER = "owner@freight.example";

export let service: TestService;
export let accountId: number;

/** A request as a program sends it: redirects are not followed. */
export function send(
  path: string,
  options: { form?: Record<string, string>; headers?: Record<string, string> } = {},
) {
  return fetch(service.url + path, {
    redirect: "manual",
    headers: options.headers ?? {},
    ...(options.form ? { method: "POST", body: new URLSearchParams(options.form) } : {}),
  });
}

export async function askForLink(): Promise<string> {
  service.clock.advance(16 * 60_000);
  await send("/dashboard/sign-in", { form: { email: OWNER } });
  return mailedSignIn(service, OWNER);
}

/** A session's cookie, by the way a browser takes. */
export async function cookieOf(link: string): Promise<string> {
  const response = await send(link, { form: {} });
  expect(response.status).toBe(303);
  return (response.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
}

export const formTokenOf = async (cookie: string): Promise<string> => {
  const page = await (await send("/dashboard", { headers: { cookie } })).text();
  return /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
};

/** Starts a service with an account and its owner. */
export function useOwner(): void {
  beforeAll(async () => {
    service = await startTestService();
    ({ accountId } = await service.createAccount({ feeds: { us_brokers: null } }));
    await setOwner(service.context, accountId, OWNER);
  });
  afterAll(() => service.stop());
}
