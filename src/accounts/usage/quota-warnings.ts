import type { Context } from "../../platform/context.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { nounFor } from "../../platform/plural.ts";
import { monthStartOf } from "./months.ts";

/** Owners are told when this much of the month's rows is used, in percent; once each a month. */
export const WARN_AT_PERCENT = [80, 100] as const;

interface Used {
  accountId: number;
  email: string;
  name: string;
  used: number;
  limit: number;
}

/** Queues the mails that are due for these accounts, which have just used rows. */
export async function warnOfQuota(context: Context, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  const now = context.clock.now();
  const month = monthStartOf(now);
  const { rows } = await context.db.pool.query<Used>(
    `SELECT account.id AS "accountId", account.email, account.name,
            usage_month.quota_rows AS used, plan.rows_per_month AS limit
     FROM account JOIN plan ON plan.code = plan_code
     JOIN usage_month ON usage_month.account_id = account.id AND usage_month.month = $2
     WHERE account.id = ANY ($1::int[]) AND usage_month.quota_rows * 100 >= plan.rows_per_month * $3`,
    [accountIds, month, WARN_AT_PERCENT[0]],
  );
  for (const used of rows) {
    const reached = WARN_AT_PERCENT.filter((percent) => used.used * 100 >= used.limit * percent).at(-1);
    await queueMail(context.db.pool, {
      purpose: "quota_warning",
      recipient: used.email,
      now,
      identity: `quota ${reached} % ${month} account ${used.accountId}`,
      subject: `${reached} % of this month's rows are used`,
      body: warningText(used, month, context.config.publicUrl),
    });
  }
}

const warningText = ({ name, used, limit }: Used, month: string, publicUrl: string): string =>
  `${name} has used ${count(used)} of the ${count(limit)} ${nounFor(limit, "row")} of its plan in the month that began on ${month} (UTC).

When none are left, requests that would return rows are answered 429 quota_exceeded until the next month begins.
Nothing is charged beyond the plan. What was used, by day and by key: ${publicUrl}/dashboard/usage
`;

const count = (rows: number): string => rows.toLocaleString("en-US");
