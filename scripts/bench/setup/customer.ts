import { createAccount } from "../../../src/accounts/accounts.ts";
import { createKey } from "../../../src/accounts/keys/keys.ts";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { Context } from "../../../src/platform/context.ts";

/** A customer without limits, on a plan with every feed and state. */
export interface Customer {
  accountId: number;
  headers: { "X-API-Key": string };
}

const PLAN = "bench";

/** Creates one with a key. */
export async function openCustomer(context: Context): Promise<Customer> {
  const [accountId = 0] = await openAccounts(context, 1);
  const { key } = await createKey(context, accountId, "bench");
  return { accountId, headers: { "X-API-Key": key } };
}

/** Creates accounts on that plan; returns their ids. */
export async function openAccounts(context: Context, count: number): Promise<number[]> {
  const { prisma } = context.db;
  await prisma.plan.create({
    data: {
      code: PLAN,
      name: "Benchmark",
      apiAccess: true,
      requestsPerMinute: 2_000_000_000,
      rowsPerMonth: 1_000_000_000_000n,
      feeds: { create: FEEDS.map(({ code }) => ({ feedCode: code, allRegions: true, regions: [] })) },
    },
  });
  return addAccounts(context, count);
}

/** Further customers of the plan that `openCustomer` created, each with an account of its own. */
export async function addCustomers(context: Context, count: number): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (const accountId of await addAccounts(context, count)) {
    const { key } = await createKey(context, accountId, "bench");
    customers.push({ accountId, headers: { "X-API-Key": key } });
  }
  return customers;
}

async function addAccounts(context: Context, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 1; index <= count; index++) {
    const owner = { name: `Benchmark ${index}`, email: `bench${index}@localhost.example`, planCode: PLAN };
    ids.push((await createAccount(context, owner)).id);
  }
  return ids;
}
