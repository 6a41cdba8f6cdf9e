import * as sql from "../../generated/sql/accounts/usage.ts";
import { monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { nounFor } from "../../platform/plural.ts";
import { mailOwners } from "../people/owner-mail.ts";

/** Owners get a mail when they have used this many percent of the month's rows, once a month and size of the plan each. */
export const WARN_AT_PERCENT = [80, 100] as const;

/** Queues the due mails for these accounts, which have just used rows. */
export async function warnOfQuota(context: Context, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  const now = context.clock.now();
  const month = monthStartOf(now);
  const rows = await sql.quotaWarnings(context.db.pool, {
    accountIds,
    month,
    percent: WARN_AT_PERCENT[0],
  });
  for (const used of rows) {
    const reached = WARN_AT_PERCENT.filter((percent) => used.used * 100 >= used.limit * percent).at(-1);
    await mailOwners(context.db.pool, used.accountId, {
      purpose: "quota_warning",
      now,
      // With the plan's rows, because an account whose plan got larger is warned of the larger one too.
      identity: `quota ${reached} % of ${used.limit} ${month} account ${used.accountId}`,
      earlierIdentity: `quota ${reached} % ${month} account ${used.accountId}`,
      subject: `${reached}% of this month's rows are used`,
      body: warningText(used, month, context.config.publicUrl),
    });
  }
}

/** The accounts that were warned this month, or are about to be, the fullest first. */
export const listNearQuota = ({ db, clock }: Context, most: number): Promise<sql.AccountsNearQuotaRow[]> =>
  sql.accountsNearQuota(db.pool, { month: monthStartOf(clock.now()), percent: WARN_AT_PERCENT[0], most });

const warningText = ({ name, used, limit }: sql.QuotaWarningsRow, month: string, publicUrl: string): string =>
  `${name} has used ${count(used)} of the ${count(limit)} ${nounFor(limit, "row")} of its plan in the month that began on ${month} (UTC).

When no rows are left, requests that would return rows get 429 quota_exceeded until the next month begins.
Nothing is charged beyond the plan. See the usage by day and key: ${publicUrl}/dashboard/usage
`;

const count = (rows: number): string => rows.toLocaleString("en-US");
