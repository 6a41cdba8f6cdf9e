import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { Prisma } from "../../generated/prisma/client.ts";
import * as sql from "../../generated/sql/accounts/plans.ts";
import type { Context } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { Caller } from "../keys/caller.ts";
import { type Plan, type PlanWords, parsePlanFile } from "./plan-file.ts";

/** The plan file that comes with the product. */
export const SHIPPED_PLANS = fileURLToPath(new URL("plans.yaml", import.meta.url));

/** The outcome of applying a plan file, by plan code. */
export interface PlansApplied {
  applied: string[];
  /** Not in the file and without accounts; removed only on request. */
  removed: string[];
  /** Not in the file: unchanged, with the number of accounts of each. */
  kept: { code: string; accounts: number }[];
}

/**
 * Creates or updates the plans of a file, in one transaction. Other plans stay; with `removesUnused` those without
 * accounts are removed. Throws one OperatorError that names every mistake of the file.
 */
export async function applyPlans(
  context: Context,
  file: string,
  words: PlanWords,
  { removesUnused = false } = {},
): Promise<PlansApplied> {
  const plans = parsePlanFile(await readPlanFile(file), file, words);
  const codes = plans.map((plan) => plan.code);
  return context.db.prisma.$transaction(async (tx) => {
    for (const plan of plans) {
      const { code, feeds, ...columns } = recordOf(plan);
      await tx.plan.upsert({ where: { code }, create: { code, ...columns }, update: columns });
      await tx.planFeed.deleteMany({ where: { planCode: code } });
      await tx.planFeed.createMany({ data: feeds });
      await noteFeeds(tx, plan, context.clock.now());
    }
    const removed = removesUnused ? await unusedPlans(tx, codes) : [];
    await tx.plan.deleteMany({ where: { code: { in: removed } } });
    const kept = await tx.plan.findMany({
      where: { code: { notIn: codes } },
      select: { code: true, _count: { select: { accounts: true } } },
      orderBy: { code: "asc" },
    });
    return {
      applied: codes,
      removed,
      kept: kept.map(({ code, _count }) => ({ code, accounts: _count.accounts })),
    };
  }, APPLIED_WITHIN);
}

/** A plan takes some milliseconds, and a file may have hundreds of them: Prisma's own limit of 5 s is for requests. */
const APPLIED_WITHIN = { timeout: 60_000 };

/** Records the feeds of a plan if they are not those of before. */
async function noteFeeds(tx: Prisma.TransactionClient, plan: Plan, now: Date): Promise<void> {
  const feeds = Object.fromEntries(
    [...plan.feeds].sort().map(([feed, regions]) => [feed, regions && [...regions].sort()]),
  );
  const before = await tx.planFeedsChange.findFirst({
    where: { planCode: plan.code },
    orderBy: { id: "desc" },
    select: { feeds: true },
  });
  if (before !== null && isDeepStrictEqual(before.feeds, feeds)) return;
  await tx.planFeedsChange.create({ data: { planCode: plan.code, changedAt: now, feeds } });
}

async function unusedPlans(tx: Prisma.TransactionClient, except: readonly string[]): Promise<string[]> {
  const unused = await tx.plan.findMany({
    where: { code: { notIn: [...except] }, accounts: { none: {} } },
    orderBy: { code: "asc" },
  });
  return unused.map(({ code }) => code);
}

/** Whether there is any plan. Runs at every start, so without Prisma, which is slow to load. */
export async function hasPlans({ db }: Context): Promise<boolean> {
  const rowCount = await sql.findPlan(db.pool);
  return rowCount === 1;
}

/** A plan with the number of its accounts. */
export interface PlanShown {
  code: string;
  name: string;
  api_access: boolean;
  requests_per_minute: number;
  rows_per_month: number;
  concurrent_exports: number;
  watched_carriers: number;
  /** Whether and how /pricing shows it. */
  listed: boolean;
  order: number;
  description: string | null;
  price: string | null;
  /** Feed → state codes, null = every state. */
  feeds: Record<string, string[] | null>;
  accounts: number;
}

/** Every plan, the smallest quota first. */
export async function listPlans(context: Context): Promise<PlanShown[]> {
  const plans = await context.db.prisma.plan.findMany({
    include: { feeds: { orderBy: { feedCode: "asc" } }, _count: { select: { accounts: true } } },
    orderBy: [{ rowsPerMonth: "asc" }, { code: "asc" }],
  });
  return plans.map((plan) => ({
    code: plan.code,
    name: plan.name,
    api_access: plan.apiAccess,
    requests_per_minute: plan.requestsPerMinute,
    rows_per_month: Number(plan.rowsPerMonth),
    concurrent_exports: plan.concurrentExports,
    watched_carriers: plan.watchedCarriers,
    listed: plan.isListed,
    order: plan.order,
    description: plan.description,
    price: plan.price,
    feeds: Object.fromEntries(
      plan.feeds.map((feed) => [feed.feedCode, feed.allRegions ? null : feed.regions]),
    ),
    accounts: plan._count.accounts,
  }));
}

/** The plans that anybody may see, in the order of the plan file's `order`, then the smallest quota first. */
export async function listedPlans(context: Context): Promise<PlanShown[]> {
  const plans = await listPlans(context);
  return plans.filter(({ listed }) => listed).toSorted((one, other) => one.order - other.order);
}

async function readPlanFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new OperatorError(
      `The plan file ${file} can't be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

const recordOf = (plan: Plan) => ({
  code: plan.code,
  name: plan.name,
  apiAccess: plan.hasApiAccess,
  requestsPerMinute: plan.requestsPerMinute,
  rowsPerMonth: BigInt(plan.rowsPerMonth),
  concurrentExports: plan.concurrentExports,
  watchedCarriers: plan.watchedCarriers,
  isListed: plan.isListed,
  order: plan.order,
  description: plan.description,
  price: plan.price,
  feeds: [...plan.feeds].map(([feedCode, regions]) => ({
    planCode: plan.code,
    feedCode,
    allRegions: regions === null,
    regions: [...(regions ?? [])],
  })),
});

/** States of a feed; null: every state. */
type Regions = readonly string[] | null;

/** The states of a feed that a caller's plan included since a time: at any moment, and at all of them. */
export interface RegionsSince {
  any: Regions;
  all: Regions;
}

/** A moment by its number of removals, and whether it is exact: else any later one may be meant, since a time. */
interface Moment {
  number: number;
  isExact: boolean;
  since: Date;
}

/** At a moment, or from then until now, whatever became of the plan; an empty list for a feed that it did not include. */
export async function regionsSince(
  { db }: Context,
  { accountId, feeds: today }: Caller,
  feedCode: string,
  { number, isExact, since }: Moment,
): Promise<RegionsSince> {
  if (isExact) {
    const row = await sql.feedsAt(db.pool, { accountId, number });
    const then = regionsIn(row === undefined ? today.get(feedCode) : row.feeds[feedCode]);
    return { any: then, all: then };
  }
  const rows = await sql.feedsSince(db.pool, { accountId, number, since });
  const plans: Regions[] = rows.map(({ feeds }) => regionsIn(feeds[feedCode]));
  plans.push(regionsIn(today.get(feedCode)));
  const limited = plans.filter((regions) => regions !== null);
  const named = [...new Set(limited.flat())].sort();
  return {
    any: limited.length < plans.length ? null : named,
    all:
      limited.length === 0
        ? null
        : named.filter((state) => limited.every((regions) => regions.includes(state))),
  };
}

const regionsIn = (regions: Regions | undefined): Regions => (regions === undefined ? [] : regions);
