import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outboxState, queueMail } from "../../../../src/platform/mail/outbox.ts";
import { headerOf } from "../../../support/network/mail-server.ts";
import {
  clock,
  context,
  dataDir,
  FROM,
  HOUR_MS,
  log,
  MINUTE_MS,
  mailers,
  mailing,
  mailServer,
  queue,
  refusal,
  rows,
  until,
  untilSent,
  untilTried,
  useMailers,
} from "./mailers.ts";

useMailers();

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

it("leaves no unfinished file when it cannot get its name", async () => {
  await queue();
  const [row] = await rows();
  const folder = path.join(dataDir, "mail");
  const name = `2026-11-21T12-00-00-000Z-${row?.id}.eml`;
  await mkdir(path.join(folder, name), { recursive: true });
  mailing();
  await untilTried(1);
  expect(await readdir(folder)).toEqual([name]);
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
