import { afterAll, beforeAll, expect, it } from "vitest";
import { tellOfEnds } from "../../../src/accounts/keys/expiry-mail.ts";
import { NO_TERMS } from "../../../src/accounts/keys/key-terms.ts";
import { createKey, revokeKey } from "../../../src/accounts/keys/keys.ts";
import type { Context } from "../../../src/platform/context.ts";
import { openAccount } from "../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { emptyTables } from "../../support/rows.ts";

const MADE = "2026-11-01T12:00:00Z";
const END = "2026-12-01T12:00:00Z";

let database: TestDatabase;
let clock: SettableClock;
/** As of three processes on one database. */
let contexts: Context[];
let accountId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  clock = settableClock(MADE);
  contexts = [];
  while (contexts.length < 3) contexts.push(await openTestContext(database.url, clock));
  ({ accountId } = await openAccount(contexts[0] as Context));
});
afterAll(async () => {
  for (const { db } of contexts) await db.close();
  await database.drop();
});

/** Makes a key with this end at this time. */
async function keyEnding(expiresAt: string, madeAt = MADE): Promise<string> {
  clock.set(madeAt);
  const terms = { ...NO_TERMS, expiresAt: new Date(expiresAt) };
  return (await createKey(contexts[0] as Context, accountId, "Nightly sync", terms)).id;
}

/** Lets all processes look at once, twice, and returns the subjects of the new mails. */
async function mailsAt(now: string): Promise<string[]> {
  clock.set(now);
  const { db } = contexts[0] as Context;
  await emptyTables(db.pool, "mail_outbox");
  for (let round = 0; round < 2; round++) await Promise.all(contexts.map(tellOfEnds));
  const mails = await db.prisma.mailOutbox.findMany({ orderBy: { id: "asc" } });
  for (const mail of mails) {
    expect(mail).toMatchObject({ purpose: "key_expiry", recipient: "ada@freight.example" });
    expect(mail.body).toContain('"Nightly sync"');
    expect(mail.body).toContain("2026-12-01 12:00 UTC");
  }
  return mails.map(({ subject }) => subject);
}

it("are sent 14 and 3 days before the end and at the end, each once over three processes", async () => {
  await keyEnding(END);
  expect(await mailsAt("2026-11-17T11:59:59.999Z")).toEqual([]);
  expect(await mailsAt("2026-11-17T12:00:00Z")).toEqual(["An API key ends in 14 days or less"]);
  expect(await mailsAt("2026-11-28T11:59:59.999Z")).toEqual([]);
  expect(await mailsAt("2026-11-28T12:00:00Z")).toEqual(["An API key ends in 3 days or less"]);
  expect(await mailsAt("2026-12-01T11:59:59.999Z")).toEqual([]);
  expect(await mailsAt("2026-12-01T12:00:00Z")).toEqual(["An API key has ended"]);
  expect(await mailsAt("2027-01-01T12:00:00Z")).toEqual([]);
});

it("leave out what was known when the key was made, what was missed, and keys that were revoked", async () => {
  await keyEnding(END, "2026-11-25T12:00:00Z");
  expect(await mailsAt("2026-11-25T12:00:00Z")).toEqual([]);
  expect(await mailsAt("2026-12-02T12:00:00Z")).toEqual(["An API key has ended"]);
  const id = await keyEnding(END);
  expect(await mailsAt("2026-11-18T12:00:00Z")).toHaveLength(1);
  await revokeKey(contexts[0] as Context, id);
  expect(await mailsAt("2026-12-02T12:00:00Z")).toEqual([]);
});
