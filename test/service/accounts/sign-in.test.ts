import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeAllSessions, openSession, sessionOf } from "../../../src/accounts/sessions/sessions.ts";
import {
  accountOfLink,
  inviteOwner,
  requestSignIn as requestSignInFrom,
} from "../../../src/accounts/sessions/sign-in-links.ts";
import type { Context } from "../../../src/platform/context.ts";
import type { ProblemError } from "../../../src/platform/http/problem.ts";
import { keepTables } from "../../../src/retention/upkeep.ts";
import { openAccount, setOwner } from "../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase } from "../../support/database.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let context: Context;
let clock: SettableClock;
let account: { id: number; name: string; email: string };
let accountCount = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = settableClock("2026-11-21T10:00:00Z");
  context = await openTestContext(database.url, clock);
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});
beforeEach(async () => {
  const { accountId } = await openAccount(context);
  const email = `Owner${++accountCount}@Freight.example`;
  await setOwner(context, accountId, email);
  account = { id: accountId, name: "Ada Freight", email };
});

/** Each test has its own network. */
let network = 0;
beforeEach(() => {
  network += 1;
});

const requestSignIn = (within: Context, email: string): Promise<void> =>
  requestSignInFrom(within, `198.51.100.${network}`, email);

/** Tokens in the mails to the account's owner, oldest first. */
async function mailedTokens(): Promise<string[]> {
  const mails = await context.db.prisma.mailOutbox.findMany({
    where: { recipient: account.email },
    orderBy: { id: "asc" },
  });
  return mails.map(({ body }) => /\/dashboard\/sign-in\/([\w-]+)/.exec(body ?? "")?.[1] ?? "");
}

const newestToken = async (): Promise<string> => (await mailedTokens()).at(-1) ?? "";

describe("a sign-in link", () => {
  it("is mailed to the owner's address, typed in any case, and opens one session, once", async () => {
    await requestSignIn(context, ` ${account.email.toUpperCase()} `);
    const token = await newestToken();
    expect(await accountOfLink(context, token)).toEqual({ name: "Ada Freight", newEmail: null });
    const opened = await Promise.all([1, 2, 3].map(() => openSession(context, token)));
    const sessions = opened.filter((each) => each !== null);
    expect(sessions).toHaveLength(1);
    expect(await sessionOf(context, sessions[0])).toMatchObject({
      accountId: account.id,
      person: { email: account.email, role: "owner" },
    });
    expect(await accountOfLink(context, token)).toBeNull();
  });

  it("is valid for 15 minutes", async () => {
    await requestSignIn(context, account.email);
    const token = await newestToken();
    clock.advance(15 * 60_000);
    expect(await openSession(context, token)).toBeNull();
  });

  it("is mailed at most three times in 15 minutes, also under parallel requests", async () => {
    await Promise.all(Array.from({ length: 10 }, () => requestSignIn(context, account.email)));
    expect(await mailedTokens()).toHaveLength(3);
    clock.advance(15 * 60_000 + 1);
    await requestSignIn(context, account.email);
    expect(await mailedTokens()).toHaveLength(4);
  });

  it("is mailed again to a person who used theirs, ten times in 15 minutes at most", async () => {
    for (let times = 0; times < 12; times++) {
      await requestSignIn(context, account.email);
      await openSession(context, await newestToken());
    }
    expect(await mailedTokens()).toHaveLength(10);
    clock.advance(15 * 60_000 + 1);
    await requestSignIn(context, account.email);
    expect(await mailedTokens()).toHaveLength(11);
  });

  it.each([
    "nobody@freight.example",
    "",
    "a\r\nBcc: b@c.example",
    "x".repeat(300),
    "owner@freight.example, b@c.example",
  ])("is mailed to nobody for %j, with the same answer", async (typed) => {
    const before = await context.db.prisma.mailOutbox.count();
    await expect(requestSignIn(context, typed)).resolves.toBeUndefined();
    expect(await context.db.prisma.mailOutbox.count()).toBe(before);
  });

  it("is requested at most 20 times in 15 minutes from one network, for known and unknown addresses alike", async () => {
    const asked = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        requestSignIn(context, index % 2 === 0 ? account.email : `nobody${index}@freight.example`),
      ),
    );
    const refused = asked.filter((each) => each.status === "rejected");
    expect(refused).toHaveLength(10);
    const [problem] = refused.map(({ reason }) => reason as ProblemError);
    expect(problem).toMatchObject({ code: "rate_limited" });
    await requestSignInFrom(context, "203.0.113.1", "nobody@freight.example");
    clock.advance((problem?.retryAfterSeconds ?? 0) * 1000);
    await requestSignIn(context, account.email);
    clock.advance(2 * 3_600_000);
    await keepTables(context);
    expect((await context.db.pool.query("SELECT FROM sign_in_client")).rowCount).toBe(0);
  });

  it("of a new account is mailed and returned", async () => {
    const url = await inviteOwner(context, account);
    expect(url).toBe(`http://127.0.0.1:3000/dashboard/sign-in/${await newestToken()}`);
    expect(await openSession(context, await newestToken())).not.toBeNull();
  });

  it("is in the database only as part of a mail that is not sent yet", async () => {
    await requestSignIn(context, account.email);
    const token = await newestToken();
    const session = await openSession(context, token);
    const { rows } = await context.db.pool.query<{ text: string }>(
      `SELECT sign_in_link::text || coalesce(dashboard_session::text, '') AS text
       FROM sign_in_link LEFT JOIN dashboard_session USING (person_id)`,
    );
    expect(rows.map(({ text }) => text).join()).not.toMatch(new RegExp(`${token}|${session}`));
  });
});

describe("a session", () => {
  const signIn = async (): Promise<string> => {
    await requestSignIn(context, account.email);
    return (await openSession(context, await newestToken())) ?? "";
  };

  it("ends after 12 hours without use, and continues while it is used", async () => {
    const token = await signIn();
    for (let times = 0; times < 3; times++) {
      clock.advance(11 * 3_600_000);
      expect(await sessionOf(context, token)).not.toBeNull();
    }
    clock.advance(12 * 3_600_000);
    expect(await sessionOf(context, token)).toBeNull();
  });

  it("ends after 30 days even if it is used", async () => {
    const token = await signIn();
    for (let hours = 0; hours < 30 * 24; hours += 10) {
      expect(await sessionOf(context, token)).not.toBeNull();
      clock.advance(10 * 3_600_000);
    }
    expect(await sessionOf(context, token)).toBeNull();
  });

  it("has its own form token", async () => {
    const [first, second] = [
      await sessionOf(context, await signIn()),
      await sessionOf(context, await signIn()),
    ];
    expect(first?.formToken).toMatch(/^[\w-]{43}$/);
    expect(first?.formToken).not.toBe(second?.formToken);
  });

  it("ends everywhere at once, together with unused links", async () => {
    const [here, there] = [await signIn(), await signIn()];
    await requestSignIn(context, account.email);
    const openLink = await newestToken();
    const session = await sessionOf(context, here);
    if (session === null) throw new Error("No session");
    expect(await closeAllSessions(context, session)).toBe(2);
    expect(await Promise.all([here, there].map((token) => sessionOf(context, token)))).toEqual([null, null]);
    expect(await openSession(context, openLink)).toBeNull();
  });

  it("that has ended is deleted from the database", async () => {
    await signIn();
    clock.advance(31 * 86_400_000);
    await signIn();
    await keepTables(context);
    const ofAccount = { person: { accountId: account.id } };
    expect(await context.db.prisma.dashboardSession.count({ where: ofAccount })).toBe(1);
    expect(await context.db.prisma.signInLink.count({ where: ofAccount })).toBe(1);
  });

  it.each([undefined, "", "x", "A".repeat(43)])("does not exist for the token %j", async (token) => {
    expect(await sessionOf(context, token)).toBeNull();
  });
});
