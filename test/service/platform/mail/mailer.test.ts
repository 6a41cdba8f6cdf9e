import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { configFrom } from "../../../../src/platform/config/config.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { type Mailer, startMailer } from "../../../../src/platform/mail/mailer.ts";
import {
  eraseMails,
  listFailedMails,
  outboxState,
  type QueuedMail,
  queueMail,
} from "../../../../src/platform/mail/outbox.ts";
import { createMetrics } from "../../../../src/platform/metrics.ts";
import { keepTables } from "../../../../src/retention/upkeep.ts";
import { type SettableClock, settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { headerOf, type MailServer, startMailServer } from "../../../support/network/mail-server.ts";
import { changeRows, emptyTables } from "../../../support/rows.ts";

const NOW = "2026-11-21T12:00:00Z";
const FROM = "Trucking Data Feed <no-reply@feed.example>";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let database: TestDatabase;
let clock: SettableClock;
let context: Context;
let dataDir: string;
let log: ReturnType<typeof memoryLog>;
const mailers: Mailer[] = [];
const servers: MailServer[] = [];

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

/** A mailer as one process has it; over SMTP if an address is given. */
function mailing(smtpUrl?: string, pace: Parameters<typeof startMailer>[1] = {}): Mailer {
  const smtp = smtpUrl === undefined ? {} : { SMTP_URL: smtpUrl };
  const config = configFrom({ DATABASE_URL: database.url, DATA_DIR: dataDir, MAIL_FROM: FROM, ...smtp });
  const mailer = startMailer({ ...context, config }, { pollEveryMs: 20, ...pace });
  mailers.push(mailer);
  return mailer;
}

async function mailServer(behaviour?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(behaviour);
  servers.push(server);
  return server;
}

const queue = (mail: Partial<QueuedMail> = {}) =>
  queueMail(context.db.pool, {
    purpose: "test",
    recipient: "ada@freight.example",
    subject: "Hello",
    body: "A line.\n",
    now: clock.now(),
    ...mail,
  });

const rows = () => context.db.prisma.mailOutbox.findMany({ orderBy: { id: "asc" } });
const until = (condition: () => unknown) => vi.waitFor(condition, { timeout: 50_000, interval: 20 });
const untilSent = (count: number) =>
  until(async () => {
    expect((await rows()).filter(({ sentAt }) => sentAt !== null)).toHaveLength(count);
  });
/** Waits until a mail was tried so often and the outcome is recorded. */
const untilTried = (attempts: number) =>
  until(async () => {
    expect(await rows()).toMatchObject([{ attempts, leaseUntil: null }]);
  });

const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

describe("a queued mail", () => {
  it("is sent if the transaction that queued it is committed, and only then", async () => {
    const server = await mailServer();
    const failing = context.db.transaction(async (client) => {
      const mail = { purpose: "test", recipient: "ada@freight.example", subject: "Not this", body: "" };
      await queueMail(client, { ...mail, now: clock.now() });
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await queue({ subject: "But this" });
    mailing(server.url);
    await untilSent(1);
    expect(server.received.map(({ raw }) => headerOf(raw, "Subject"))).toEqual(["But this"]);
  });

  it("arrives as plain text, marked as automatic, and its text is deleted", async () => {
    const server = await mailServer();
    await queue({ subject: "Quota at 80 % – naïve", body: "Grüße.\n.\nA lone dot and more.\n" });
    mailing(server.url);
    await untilSent(1);
    const [mail = { from: "", to: [], raw: "" }] = server.received;
    expect(mail).toMatchObject({ from: "no-reply@feed.example", to: ["ada@freight.example"] });
    const header = (name: string) => headerOf(mail.raw, name);
    expect(header("From")).toBe(FROM);
    expect(header("To")).toBe("ada@freight.example");
    expect(header("Subject")).toMatch(/^=\?UTF-8\?/);
    expect(header("Auto-Submitted")).toBe("auto-generated");
    expect(header("Date")).toBe("Sat, 21 Nov 2026 12:00:00 +0000");
    expect(header("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(header("Message-ID")).toMatch(/^<[0-9a-f-]{36}\.\d+@feed\.example>$/);
    expect(mail.raw).toContain("Gr=C3=BC=C3=9Fe.\r\n.\r\nA lone dot and more.\r\n");
    expect(await rows()).toMatchObject([{ body: null, attempts: 1, failedAt: null, leaseUntil: null }]);
  });

  it("is one mail, however often its identity is queued", async () => {
    const server = await mailServer();
    for (let time = 0; time < 3; time++) await queue({ identity: "quota warning 7 2026-11" });
    mailing(server.url);
    await untilSent(1);
    await queue({ identity: "quota warning 7 2026-11" });
    expect(await rows()).toHaveLength(1);
  });

  it("cannot carry a header of its own", async () => {
    const breaking = fc
      .tuple(fc.string(), fc.constantFrom("\r", "\n", "\r\n", "\0", "\u2028", "\u0085"), fc.string())
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(breaking, async (text) => {
        await expect(queue({ subject: text })).rejects.toThrow("subject");
        await expect(queue({ recipient: text })).rejects.toThrow("recipient");
        await expect(queue({ recipient: `ada@freight.example${text}` })).rejects.toThrow("recipient");
      }),
    );
    for (const recipient of ["", "ada", "Ada <ada@freight.example>", "a@b.example, c@d.example"]) {
      await expect(queue({ recipient })).rejects.toThrow(
        /^The recipient of a mail \(test\) is not an e-mail address\.$/,
      );
    }
    expect(await rows()).toEqual([]);
  });
});

describe("without a mail server", () => {
  it("is a file that only its owner can read, named by time and number", async () => {
    await queue({ body: "https://feed.example/sign-in?token=abc\n" });
    const [row] = await rows();
    mailing();
    await untilSent(1);
    const folder = path.join(dataDir, "mail");
    const names = await readdir(folder);
    expect(names).toEqual([`2026-11-21T12-00-00-000Z-${row?.id}.eml`]);
    const file = path.join(folder, names[0] ?? "");
    expect([(await stat(folder)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600]);
    const raw = await readFile(file, "utf8");
    expect(raw).toContain("\r\n\r\nhttps://feed.example/sign-in?token=abc\r\n");
    expect(headerOf(raw, "Auto-Submitted")).toBe("auto-generated");
  });

  it("waits while the folder cannot be written", async () => {
    await writeFile(path.join(dataDir, "mail"), "a file in the folder's place");
    await queue();
    mailing();
    await untilTried(1);
    expect(await rows()).toMatchObject([
      { sentAt: null, failedAt: null, lastError: expect.stringMatching(/^E/) },
    ]);
    await rm(path.join(dataDir, "mail"));
    clock.advance(MINUTE_MS);
    await untilSent(1);
  });
});

describe("a mail that is not accepted", () => {
  it("is sent a moment later after a short failure of the server", async () => {
    let refused = 0;
    const server = await mailServer({
      onConnect: () => {
        if (refused++ === 0) throw refusal(421, "too busy");
      },
    });
    await queue();
    mailing(server.url);
    await untilSent(1);
    expect(await rows()).toMatchObject([{ attempts: 1 }]);
    expect(server.connections).toBe(2);
  });

  it("is tried again after 1 minute, 10 minutes, 1, 6 and three times 24 hours, then given up", async () => {
    // Prometheus sees no increase in a series that begins at 1, so the alert would never fire for the first one.
    expect(await context.metrics.registry.metrics()).toContain('tdf_mails_total{outcome="given_up"} 0');
    let tries = 0;
    const server = await mailServer({
      onRecipient: (address) => {
        tries += 1;
        throw refusal(550, `<${address}> nobody here`);
      },
    });
    await queue({ body: "secret" });
    mailing(server.url);
    const waits = [1, 10, 60, 6 * 60, 24 * 60, 24 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);
    for (const [failures, waitMs] of waits.entries()) {
      await untilTried(failures + 1);
      expect((await rows())[0]?.dueAt).toEqual(new Date(clock.now().getTime() + waitMs));
      clock.advance(waitMs);
    }
    await untilTried(8);
    expect(await rows()).toMatchObject([
      { failedAt: clock.now(), sentAt: null, body: null, lastError: "EENVELOPE 550 RCPT TO" },
    ]);
    clock.advance(1000 * HOUR_MS);
    await queue({ recipient: "bob@freight.example" });
    await until(async () => expect(await outboxState(context)).toMatchObject({ waiting: 1, failed: 1 }));
    expect(tries).toBeGreaterThanOrEqual(8);
    expect(log.lines().at(7)).toMatchObject({ level: "error", msg: "A mail was given up.", attempt: 8 });
    expect(log.text()).not.toMatch(/freight\.example|secret/);
    const metrics = await context.metrics.registry.metrics();
    expect(metrics).toContain('tdf_mails_total{outcome="given_up"} 1');
    expect(metrics).toContain('tdf_mails_total{outcome="not_taken"}');
  });

  it("is not blocked by a server that does not answer", async () => {
    let release = () => {};
    const server = await mailServer({
      onConnect: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    await queue();
    mailing(server.url, { tryTimeoutMs: 100 });
    await untilTried(1);
    expect(await rows()).toMatchObject([{ sentAt: null, lastError: "EABORT" }]);
    release();
  });

  it("never sends a password to a server without TLS on another machine", async () => {
    const server = await mailServer({ users: new Map([["ada", "pass"]]) });
    await queue();
    // This machine too, but the address does not look like it.
    mailing(`smtp://ada:pass@[::ffff:127.0.0.1]:${server.port}`);
    await untilTried(1);
    expect(await rows()).toMatchObject([{ sentAt: null, lastError: expect.stringContaining("ETLS") }]);
    await mailers.splice(0)[0]?.stop();
    clock.advance(MINUTE_MS);
    mailing(`smtp://ada:pass@localhost:${server.port}`);
    await untilSent(1);
  });
});

describe("several mailers", () => {
  it("send each mail once", async () => {
    const server = await mailServer();
    const subjects = Array.from({ length: 60 }, (_, index) => `mail ${index}`);
    for (const subject of subjects) await queue({ subject });
    for (let process = 0; process < 3; process++) mailing(server.url);
    await untilSent(60);
    expect(server.received.map(({ raw }) => headerOf(raw, "Subject")).toSorted()).toEqual(
      subjects.toSorted(),
    );
  });

  it("repeat a mail at most once, with the same Message-ID, when one is killed before it could record it", async () => {
    let isReceived = () => {};
    const received = new Promise<void>((resolve) => {
      isReceived = resolve;
    });
    const server = await mailServer({
      onMail: async () => {
        // The first process never gets the confirmation of its mail.
        if (server.received.length === 1) await new Promise<void>(() => isReceived());
      },
    });
    await queue();
    const script = fileURLToPath(new URL("../../../support/processes/mailer-process.ts", import.meta.url));
    const child = spawn(process.execPath, [script, database.url, server.url, NOW], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    await received;
    child.kill("SIGKILL");
    await once(child, "exit");

    mailing(server.url);
    clock.advance(89_000);
    await queue({ subject: "Another" });
    await untilSent(1);
    expect(server.received).toHaveLength(2);
    clock.advance(1_000);
    await untilSent(2);
    const ids = server.received.map(({ raw }) => headerOf(raw, "Message-ID"));
    expect(ids).toEqual([ids[0], expect.not.stringMatching(ids[0] ?? ""), ids[0]]);
    expect(await rows()).toMatchObject([{ attempts: 2 }, { attempts: 1 }]);
  });

  it("leave a mail erased whose try was refused afterwards", async () => {
    const erased = Promise.withResolvers<void>();
    let tries = 0;
    const server = await mailServer({
      onRecipient: async () => {
        tries += 1;
        await erased.promise;
        throw refusal(451, "later");
      },
    });
    await queue({ identity: "once" });
    await queue();
    const mailer = mailing(server.url);
    await until(() => expect(tries).toBe(2));
    const recipients = ["ada@freight.example"];
    await eraseMails(context.db.pool, {
      recipients,
      waiting: { recipients, purposes: ["test"] },
      now: clock.now(),
    });
    erased.resolve();
    await mailer.stop();
    expect(await rows()).toMatchObject([
      { identity: "once", recipient: "", subject: "", body: null, failedAt: clock.now(), lastError: null },
    ]);
    expect(await outboxState(context)).toMatchObject({ waiting: 0, failed: 0 });
  });

  it("give up a mail that ends their process each time", async () => {
    const server = await mailServer();
    await queue();
    await changeRows(context.db.pool, "mail_outbox", { attempts: 8, lease_until: clock.now() });
    mailing(server.url);
    await untilTried(9);
    expect(await rows()).toMatchObject([{ sentAt: null, failedAt: clock.now(), lastError: "PROCESS_ENDED" }]);
    expect(server.received).toEqual([]);
  });

  it("count no mail as given up that was erased, also after they gave it up or could not send it", async () => {
    const refused = { onRecipient: () => Promise.reject(refusal(451, "later")) };
    const server = await mailServer(refused);
    await queue({ identity: "given up" });
    await changeRows(context.db.pool, "mail_outbox", { attempts: 8, lease_until: clock.now() });
    await queue({ identity: "tried" });
    mailing(server.url);
    await until(async () =>
      expect(await rows()).toMatchObject([{ lastError: "PROCESS_ENDED" }, { attempts: 1, leaseUntil: null }]),
    );
    expect(await outboxState(context)).toMatchObject({ waiting: 1, failed: 1 });
    const recipients = ["ada@freight.example"];
    await eraseMails(context.db.pool, {
      recipients,
      waiting: { recipients, purposes: ["test"] },
      now: clock.now(),
    });
    expect(await outboxState(context)).toMatchObject({ waiting: 0, failed: 0 });
    expect(await listFailedMails(context, { since: new Date(0), most: 9 })).toEqual([]);
  });
});

it("keep no recipient and subject of mails to people who were promised so", async () => {
  const server = await mailServer();
  const purpose = "removal_confirmation";
  await queue({ purpose, recipient: "bob@freight.example" });
  await changeRows(context.db.pool, "mail_outbox", { attempts: 8, lease_until: clock.now() });
  await queue({ purpose });
  await queue();
  mailing(server.url, { unkept: [purpose] });
  await untilSent(2);
  const unkept = { recipient: "", subject: "", body: null };
  await until(async () =>
    expect(await rows()).toMatchObject([
      { ...unkept, lastError: "PROCESS_ENDED" },
      unkept,
      { recipient: "ada@freight.example", subject: "Hello", body: null },
    ]),
  );
  expect(server.received.map(({ to }) => to)).toEqual(Array(2).fill(["ada@freight.example"]));
  // The operator sees the one that was given up.
  expect(await outboxState(context)).toMatchObject({ waiting: 0, failed: 1 });
  expect(await listFailedMails(context, { since: new Date(0), most: 9 })).toMatchObject([
    { purpose, lastError: "PROCESS_ENDED" },
  ]);
});

it("that stop wait for mails being sent and send no others", async () => {
  let takeIt = () => {};
  const accepted = new Promise<void>((resolve) => {
    takeIt = resolve;
  });
  const server = await mailServer({ onMail: () => accepted });
  for (let index = 0; index < 3; index++) await queue();
  // A poll that began before the stop may still find some.
  const mailer = mailing(server.url, { pollEveryMs: 60_000 });
  await until(() => expect(server.received).toHaveLength(3));
  let isStopped = false;
  const stopped = mailer.stop().then(() => {
    isStopped = true;
  });
  await queue();
  expect(await outboxState(context)).toMatchObject({ waiting: 4 });
  expect(isStopped).toBe(false);
  takeIt();
  await stopped;
  expect(server.received).toHaveLength(3);
  expect((await rows()).map(({ sentAt }) => sentAt !== null)).toEqual([true, true, true, false]);
});

it("deletes mails 90 days after they were sent", async () => {
  const server = await mailServer();
  await queue();
  mailing(server.url);
  await untilSent(1);
  await mailers.splice(0)[0]?.stop();
  clock.advance(90 * 24 * HOUR_MS + 1);
  await queue({ subject: "Young" });
  await keepTables(context);
  expect(await rows()).toMatchObject([{ subject: "Young" }]);
});
