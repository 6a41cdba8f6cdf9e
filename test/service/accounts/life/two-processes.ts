import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Printed, runTdf } from "../../../support/processes/command.ts";
import { changeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { LOOPBACK_ENV, quieten } from "../../../support/webhooks/dispatching.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

export let service: TestService;
/** A second process of the service. */
export let other: TestService;
export let receiver: Receiver;
export const tdf = (...words: string[]): Promise<Printed> =>
  runTdf({ DATABASE_URL: service.context.config.databaseUrl ?? "", OPERATOR: "Olga" }, ...words);

export async function json(...words: string[]) {
  const { out, err, status } = await tdf(...words, "--json");
  expect({ err, status }).toEqual({ err: "", status: 0 });
  return JSON.parse(out);
}

export const customer = () =>
  service.createAccount({ feeds: { us_new_authority_weekly: null }, requestsPerMinute: 10_000 });

export const suspend = (accountId: number) =>
  json("account", "suspend", String(accountId), "--reason", "The invoice of October is not paid.");

/** A session of an account's dashboard, by its cookie. */
export async function signedIn(url: string): Promise<(path: string) => Promise<string>> {
  const answer = await fetch(url, { method: "POST", redirect: "manual" });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async (path) => {
    const page = await fetch(`${service.url}/dashboard${path}`, { headers: { cookie }, redirect: "manual" });
    return `${page.status} ${page.headers.get("location") ?? ""} ${await page.text()}`;
  };
}

export const sent = () =>
  changeRows(service.context.db.pool, "mail_outbox", { sent_at: service.clock.now() });

/** The addresses of this test's mails. */
export async function recipients(): Promise<string[]> {
  const mails = await service.context.db.prisma.mailOutbox.findMany({
    where: { recipient: { endsWith: "@erased.example" } },
    distinct: "recipient",
  });
  return mails.map(({ recipient }) => recipient).sort();
}

export const here = (url: string): string => service.url + new URL(url).pathname;

/** How many connections wait for a row that another one has locked. */
export async function lockWaits(pool: { query: (text: string) => Promise<{ rowCount: number | null }> }) {
  const { rowCount } = await pool.query(
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  return rowCount;
}

export const CLOSED = "The account is closed, so nothing was changed.";

/** Two processes of the service of one test file, and a receiver. */
export function useTwoProcesses(): void {
  beforeAll(async () => {
    service = await startTestService({ env: LOOPBACK_ENV });
    const { databaseUrl } = service.context.config;
    other = await startTestService({ databaseUrl: databaseUrl ?? "", clock: service.clock });
    receiver = await startReceiver();
  });
  beforeEach(async () => {
    await quieten(service.context);
    receiver.received.length = 0;
  });
  afterAll(async () => {
    await receiver.close();
    await other.stop();
    await service.stop();
  });
}
