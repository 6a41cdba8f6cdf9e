import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { configFrom } from "../../../../src/platform/config/config.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { type Mailer, startMailer } from "../../../../src/platform/mail/mailer.ts";
import { type QueuedMail, queueMail } from "../../../../src/platform/mail/outbox.ts";
import { createMetrics } from "../../../../src/platform/metrics.ts";
import { type SettableClock, settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { type MailServer, startMailServer } from "../../../support/network/mail-server.ts";
import { emptyTables } from "../../../support/rows.ts";

export const NOW = "2026-11-21T12:00:00Z";
export const FROM = "Trucking Data Feed <no-reply@feed.example>";
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export let database: TestDatabase;
export let clock: SettableClock;
export let context: Context;
export let dataDir: string;
export let log: ReturnType<typeof memoryLog>;
export const mailers: Mailer[] = [];
const servers: MailServer[] = [];

/** A mailer as one process has it; over SMTP if an address is given. */
export function mailing(smtpUrl?: string, pace: Parameters<typeof startMailer>[1] = {}): Mailer {
  const smtp = smtpUrl === undefined ? {} : { SMTP_URL: smtpUrl };
  const config = configFrom({ DATABASE_URL: database.url, DATA_DIR: dataDir, MAIL_FROM: FROM, ...smtp });
  const mailer = startMailer({ ...context, config }, { pollEveryMs: 20, ...pace });
  mailers.push(mailer);
  return mailer;
}

export async function mailServer(behaviour?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(behaviour);
  servers.push(server);
  return server;
}

export const queue = (mail: Partial<QueuedMail> = {}) =>
  queueMail(context.db.pool, {
    purpose: "test",
    recipient: "ada@freight.example",
    subject: "Hello",
    body: "A line.\n",
    now: clock.now(),
    ...mail,
  });

export const rows = () => context.db.prisma.mailOutbox.findMany({ orderBy: { id: "asc" } });
export const until = (condition: () => unknown) => vi.waitFor(condition, { timeout: 50_000, interval: 20 });
export const untilSent = (count: number) =>
  until(async () => {
    expect((await rows()).filter(({ sentAt }) => sentAt !== null)).toHaveLength(count);
  });
/** Waits until a mail was tried so often and the outcome is recorded. */
export const untilTried = (attempts: number) =>
  until(async () => {
    expect(await rows()).toMatchObject([{ attempts, leaseUntil: null }]);
  });

export const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/** Gives each test mailers, mail servers and a folder of its own. */
export function useMailers(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    context = await openTestContext(database.url, settableClock(NOW));
  });
  afterAll(async () => {
    await context.db.close();
    await database.drop();
  });
  beforeEach(async () => {
    clock = settableClock(NOW);
    dataDir = await mkdtemp(path.join(tmpdir(), "tdf-mail-"));
    log = memoryLog();
    context = { ...context, clock, log: log.log, metrics: createMetrics() };
  });
  afterEach(async () => {
    await Promise.all(mailers.splice(0).map((mailer) => mailer.stop()));
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    await emptyTables(context.db.pool, "mail_outbox");
    await rm(dataDir, { recursive: true });
  });
}
