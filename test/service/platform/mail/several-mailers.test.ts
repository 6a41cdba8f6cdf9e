import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { eraseMails, listFailedMails, outboxState } from "../../../../src/platform/mail/outbox.ts";
import { keepTables } from "../../../../src/retention/upkeep.ts";
import { headerOf } from "../../../support/network/mail-server.ts";
import { changeRows } from "../../../support/rows.ts";
import {
  clock,
  context,
  database,
  HOUR_MS,
  mailers,
  mailing,
  mailServer,
  NOW,
  queue,
  refusal,
  rows,
  until,
  untilSent,
  untilTried,
  useMailers,
} from "./mailers.ts";

useMailers();

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
