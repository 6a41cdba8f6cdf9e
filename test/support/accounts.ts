import { randomBytes } from "node:crypto";
import { createAccount } from "../../src/accounts/accounts.ts";
import { admit } from "../../src/accounts/keys/admission.ts";
import type { Caller } from "../../src/accounts/keys/caller.ts";
import { NO_TERMS } from "../../src/accounts/keys/key-terms.ts";
import { createKey } from "../../src/accounts/keys/keys.ts";
import type { Scope } from "../../src/generated/scopes.ts";
import type { Context } from "../../src/platform/context.ts";
import { putRows } from "./rows.ts";

/** Opens an account on its own plan, with one key. Feeds: code → states, null = every state. */
export async function openAccount(
  context: Context,
  plan: {
    apiAccess?: boolean;
    requestsPerMinute?: number;
    rowsPerMonth?: number;
    concurrentExports?: number;
    watchedCarriers?: number;
    feeds?: Record<string, string[] | null>;
    /** Of its key; the usual ones unless given. */
    scopes?: readonly Scope[];
  } = {},
): Promise<{ accountId: number; planCode: string; licenceRef: string; keyId: string; key: string }> {
  const { apiAccess = true, requestsPerMinute = 60, rowsPerMonth = 1000, concurrentExports = 5 } = plan;
  const { watchedCarriers = 1000 } = plan;
  const planCode = `p${randomBytes(6).toString("hex")}`;
  await context.db.prisma.plan.create({
    data: {
      code: planCode,
      name: planCode,
      apiAccess,
      requestsPerMinute,
      rowsPerMonth: BigInt(rowsPerMonth),
      concurrentExports,
      watchedCarriers,
    },
  });
  await context.db.prisma.planFeed.createMany({
    data: Object.entries(plan.feeds ?? {}).map(([feedCode, regions]) => ({
      planCode,
      feedCode,
      allRegions: regions === null,
      regions: regions ?? [],
    })),
  });
  const account = await createAccount(context, {
    name: "Ada Freight",
    email: "ada@freight.example",
    planCode,
  });
  const terms = { ...NO_TERMS, scopes: plan.scopes ?? [] };
  const { id, key } = await createKey(context, account.id, "test", terms);
  return { accountId: account.id, planCode, licenceRef: account.licence_ref, keyId: id, key };
}

/** The caller of an admitted key. */
export async function callerOf(context: Context, key: string): Promise<Caller> {
  const admission = await admit(context, key);
  if (admission.outcome !== "admitted") throw new Error(`The key was not admitted: ${admission.outcome}`);
  return admission.caller;
}

/** Changes the states of some feeds of a plan, as `plan apply` does. */
export const setPlanRegions = (
  { db, clock }: Context,
  planCode: string,
  feeds: Readonly<Record<string, string[] | null>>,
): Promise<void> =>
  db.transaction(async (client) => {
    for (const [feed, regions] of Object.entries(feeds)) {
      await client.query(
        "UPDATE plan_feed SET all_regions = $3, regions = $4 WHERE plan_code = $1 AND feed_code = $2",
        [planCode, feed, regions === null, regions ?? []],
      );
    }
    await client.query("INSERT INTO plan_feeds_change (plan_code, changed_at, feeds) VALUES ($1, $2, $3)", [
      planCode,
      clock.now(),
      JSON.stringify(feeds),
    ]);
  });

/** Usage of the seven days before 21 November 2026: each day ten requests, and so many rows, errors and refused requests. */
export async function useSevenDays(
  { db }: Context,
  { accountId, keyId }: { accountId: number; keyId: string },
  { rows, errors = 0, refused = 0 }: { rows: number; errors?: number; refused?: number },
): Promise<void> {
  const days = Array.from({ length: 7 }, (_, index) => ({
    account_id: accountId,
    day: `2026-11-${20 - index}`,
    key_id: keyId,
    api_requests: 10,
    api_errors: errors,
    api_refused: refused,
    api_rows: rows,
  }));
  await putRows(db.pool, "usage_day", ...days);
}

/** Gives an account's first owner this address. */
export async function setOwner({ db }: Context, accountId: number, email: string): Promise<void> {
  const { id } = await db.prisma.person.findFirstOrThrow({
    where: { accountId, role: "owner" },
    orderBy: { id: "asc" },
  });
  await db.prisma.person.update({ where: { id }, data: { email } });
}
