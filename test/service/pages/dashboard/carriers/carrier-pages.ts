import { afterAll, beforeAll } from "vitest";
import { signInLink } from "../../../../../src/accounts/sessions/sign-in-links.ts";
import { settableClock } from "../../../../support/clock.ts";
import { setDetection } from "../../../../support/events/events.ts";
import { publishRegistry } from "../../../../support/registry/derived-registry.ts";
import { knowOutOfService } from "../../../../support/registry/source-days.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { ROWS } from "./carriers.ts";

export const AS_OF = "2026-11-20";
export const NOW = "2026-11-22T12:00:00Z";

export let service: TestService;
let cookie: string;

/** The cookie of a customer whose plan has these feeds and states. */
export async function signedIn(feeds: Record<string, string[] | null>): Promise<string> {
  const { accountId } = await service.createAccount({ feeds });
  const link = new URL(await signInLink(service.context, accountId)).pathname;
  const answer = await fetch(service.url + link, { method: "POST", redirect: "manual" });
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

export const html = async (usdot: number, who = cookie): Promise<string> => {
  const answer = await service.get(`/dashboard/carriers/${usdot}`, undefined, { Cookie: who });
  return `${answer.status === 200 ? "" : `${answer.status} `}${await answer.text()}`;
};
export const textOf = (part: string): string =>
  part
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#39;", "'")
    .trim();

/** The first lines. */
export const lines = async (usdot: number, who = cookie): Promise<string[]> =>
  [...(await html(usdot, who)).matchAll(/<p class="verdict \w+">(.*?)<\/p>/g)].map(([, text]) => text ?? "");

/** The text from one heading to the next. */
export async function section(usdot: number, heading: string, who = cookie): Promise<string> {
  const [, after = ""] = (await html(usdot, who)).split(`<h2>${heading}</h2>`);
  return textOf(after.split("<h2>")[0] ?? "");
}

/** Publishes the carriers' rows of the registry, and signs a customer in. */
export function useCarrierPages(): void {
  beforeAll(async () => {
    service = await startTestService({ clock: settableClock(NOW) });
    const { db, clock } = service.context;
    await knowOutOfService(service.context.db.pool, { asOf: AS_OF, at: NOW });
    await db.bulkTransaction((client) => publishRegistry(client, ROWS, { asOf: AS_OF, now: clock.now() }));
    await setDetection(db, { finishedAt: `${AS_OF}T11:20:05Z`, asOf: AS_OF });
    cookie = await signedIn({
      us_small_carriers_active: null,
      us_brokers: ["TX"],
      us_revocation_pending: null,
    });
  });
  afterAll(() => service.stop());
}
