import type { Context } from "../platform/context.ts";
import type { AccountShown } from "./accounts.ts";

/**
 * Opens an account of the same number in the database of test mode, on this plan, unless it is there. Names and addresses of
 * customers stay in the live database.
 */
export async function mirrorAccount(
  test: Context,
  { id }: Pick<AccountShown, "id">,
  planCode: string,
): Promise<void> {
  const createdAt = test.clock.now();
  const account = { id, name: `Account ${id}`, email: "", planCode, licenceRef: `TEST-${id}`, createdAt };
  await test.db.prisma.$transaction(async (tx) => {
    const { count } = await tx.account.createMany({ data: account, skipDuplicates: true });
    if (count > 0)
      await tx.accountPlanChange.create({ data: { accountId: id, planCode, changedAt: createdAt } });
  });
}
