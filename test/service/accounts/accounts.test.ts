import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount, listAccounts, setPlan } from "../../../src/accounts/accounts.ts";
import { USUAL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { hashKey } from "../../../src/accounts/keys/key-format.ts";
import { createKey, listKeys, revokeKey } from "../../../src/accounts/keys/keys.ts";
import type { Context } from "../../../src/platform/context.ts";
import { OperatorError } from "../../../src/platform/operator-error.ts";
import { openAccount } from "../../support/accounts.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase } from "../../support/database.ts";

const NOW = "2026-11-21T10:30:15.000Z";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let context: Context;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock(NOW));
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

/** Every row of the database, as text. */
async function everythingStored(): Promise<string> {
  const { rows: tables } = await context.db.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await context.db.pool.query<{ text: string }>(
        `SELECT t::text AS text FROM ${name} AS t`,
      );
      return rows.map(({ text }) => text).join("\n");
    }),
  );
  return texts.join("\n");
}

describe("keys", () => {
  it("are shown once: the database has the hash and nothing of the secret", async () => {
    const { accountId, keyId } = await openAccount(context);
    const { id, key, prefix } = await createKey(context, accountId, " Nightly sync ");
    expect(prefix).toBe(`tdf_live_${id}`);
    expect(key.startsWith(`${prefix}_`)).toBe(true);
    const secret = key.slice(prefix.length + 1);
    const stored = await everythingStored();
    expect(stored).toContain(hashKey(key).toString("hex"));
    for (const part of [
      key,
      secret,
      secret.slice(0, 30),
      secret.slice(0, 12),
      Buffer.from(secret).toString("hex"),
    ]) {
      expect(stored).not.toContain(part);
    }
    const listed = await listKeys(context, accountId);
    expect(listed.find((each) => each.id === id)).toEqual({
      id,
      account_id: accountId,
      name: "Nightly sync",
      prefix,
      state: "active",
      scopes: [...USUAL_SCOPES],
      allowed_networks: null,
      created_at: NOW,
      expires_at: null,
      last_used_at: null,
      previous_valid_until: null,
      revoked_at: null,
      made_by: null,
    });
    expect(listed.map((each) => each.id).sort()).toEqual([id, keyId].sort());
    expect(JSON.stringify(listed)).not.toContain(secret.slice(0, 12));
  });

  it("of other accounts are not in an account's list", async () => {
    const [one, two] = [await openAccount(context), await openAccount(context)];
    expect((await listKeys(context, one.accountId)).map(({ id }) => id)).toEqual([one.keyId]);
    const all = (await listKeys(context)).map(({ id }) => id);
    expect(all).toEqual(expect.arrayContaining([one.keyId, two.keyId]));
  });

  it("are revoked by identifier or by prefix; revoking again changes nothing", async () => {
    const { accountId, keyId } = await openAccount(context);
    const other = await createKey(context, accountId, "other");
    expect(await revokeKey(context, keyId)).toEqual({ id: keyId });
    const later = { ...context, clock: settableClock("2027-01-01T00:00:00Z") };
    await revokeKey(later, keyId);
    expect(await revokeKey(later, other.prefix)).toEqual({ id: other.id });
    const revokedAt = (await listKeys(context, accountId)).map((key) => [key.id, key.revoked_at]);
    expect(Object.fromEntries(revokedAt)).toEqual({ [keyId]: NOW, [other.id]: "2027-01-01T00:00:00.000Z" });
  });

  it("that do not exist are refused with a message that repeats no secret, like unknown accounts", async () => {
    const { accountId, key } = await openAccount(context);
    await expect(revokeKey(context, "nosuchid")).rejects.toThrow(OperatorError);
    const pasted = await revokeKey(context, key).catch((error: Error) => error.message);
    expect(pasted).toMatch(/There is no key with that identifier/);
    await expect(createKey(context, 999_999, "x")).rejects.toThrow(
      'There is no account 999999; "account list"',
    );
    await expect(listKeys(context, 999_999)).rejects.toThrow("There is no account 999999");
    for (const name of ["", "  ", "a\nb", "a\u0000b", "x".repeat(101), "\ud800"]) {
      await expect(createKey(context, accountId, name)).rejects.toThrow(
        "The name must have 1 to 100 characters",
      );
    }
  });

  // The API counts characters; half as many of these were refused here.
  it("have names of 100 characters, whatever they are written in", async () => {
    const { accountId } = await openAccount(context);
    await createKey(context, accountId, "🚚".repeat(100));
    expect((await listKeys(context, accountId)).map(({ name }) => name)).toContain("🚚".repeat(100));
    await expect(createKey(context, accountId, "🚚".repeat(101))).rejects.toThrow("1 to 100 characters");
  });
});

describe("accounts", () => {
  it("are opened on a plan, with their own licence reference", async () => {
    const { planCode } = await openAccount(context);
    const account = { name: "  Ada Freight ", email: " ada@freight.example ", planCode };
    const [one, two] = [await createAccount(context, account), await createAccount(context, account)];
    expect(one).toEqual({
      id: one.id,
      name: "Ada Freight",
      email: "ada@freight.example",
      plan: planCode,
      created_at: NOW,
      licence_ref: expect.stringMatching(/^LIC-[A-HJKMNP-TV-Z2-9]{10}$/),
      suspension: null,
      closed_at: null,
    });
    expect(two.licence_ref).not.toBe(one.licence_ref);
    expect((await listAccounts(context)).filter(({ id }) => id === one.id || id === two.id)).toEqual([
      one,
      two,
    ]);
  });

  it("keep their licence reference when they change plans", async () => {
    const [account, other] = [await openAccount(context), await openAccount(context)];
    const changed = await setPlan(context, account.accountId, other.planCode);
    expect(changed).toMatchObject({
      id: account.accountId,
      plan: other.planCode,
      licence_ref: account.licenceRef,
    });
  });

  it("are refused with a sentence when plan, name or e-mail is invalid", async () => {
    const { accountId, planCode } = await openAccount(context);
    const good = { name: "Ada", email: "ada@freight.example", planCode };
    const open = (change: Partial<typeof good>) => createAccount(context, { ...good, ...change });
    await expect(open({ planCode: "nope" })).rejects.toThrow(
      /There is no plan "nope"; choose one of .*p[0-9a-f]{12}/,
    );
    await expect(setPlan(context, accountId, "nope")).rejects.toThrow('There is no plan "nope"');
    await expect(setPlan(context, 999_999, planCode)).rejects.toThrow("There is no account 999999");
    for (const name of ["", " ", "a\rb", "\u202eabc", "x".repeat(201)]) {
      await expect(open({ name })).rejects.toThrow("The name must have 1 to 200 characters");
    }
    const emails = [
      "",
      "ada",
      "ada@",
      "@freight.example",
      "ada@freight",
      "a b@freight.example",
      "ada@freight.example\nBcc: x@y.zz",
      "ada@freight.example, bob@freight.example",
      `${"x".repeat(65)}@freight.example`,
      "Ada <ada@freight.example>",
    ];
    for (const email of emails)
      await expect(open({ email })).rejects.toThrow("The e-mail address must look like");
  });
});
