import { Command } from "commander";
import {
  applyPlans,
  hasPlans,
  listPlans,
  type PlanShown,
  type PlansApplied,
  SHIPPED_PLANS,
} from "../../accounts/plans/plans.ts";
import { FEEDS } from "../../feeds/catalogue.ts";
import type { EntryContext } from "../../platform/context.ts";
import { countOf } from "../../platform/plural.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";
import { count, table } from "../terminal/print.ts";
import { changing, reporting } from "../terminal/reporting.ts";

/** The feed codes and regions that a plan file may name. */
const PLAN_WORDS = { feedCodes: FEEDS.map((feed) => feed.code), regions: STATE_CODES };

/** Applies the shipped plans when the database has none, so that accounts can be opened at once. */
export async function applyShippedPlansOnce(context: EntryContext): Promise<void> {
  if (!(await hasPlans(context))) await applyPlans(context, SHIPPED_PLANS, PLAN_WORDS);
}

export function planCommand(): Command {
  const plan = new Command("plan").description("What customers may use");
  changing(
    plan
      .command("apply <file>")
      .description("Add or change the plans of a YAML file (see src/accounts/plans/plans.yaml)")
      .option("--remove", "also remove plans that are not in the file and have no account")
      .addHelpText(
        "after",
        `
Plans that are not in the file do not change, and their codes are printed. --remove removes those that no account has. A
plan that accounts have is never removed: change their plan with "account set-plan" first.`,
      ),
    async (context, file: string, { remove = false }: { remove?: boolean }) => {
      const applied = await applyPlans(context, file, PLAN_WORDS, { removesUnused: remove });
      return { value: applied, lines: outcomeLines(applied) };
    },
  );
  reporting(plan.command("list").description("Show every plan"), async (context) => {
    const plans = await listPlans(context);
    return { value: plans, lines: table(HEADINGS, plans.map(cells)) };
  });
  return plan;
}

function outcomeLines({ applied, removed, kept }: PlansApplied): string[] {
  const inUse = kept.filter(({ accounts }) => accounts > 0);
  const unused = kept.filter(({ accounts }) => accounts === 0).map(({ code }) => code);
  return [
    `Applied: ${applied.join(", ")}.`,
    ...(removed.length > 0 ? [`Removed (not in the file, no account has them): ${removed.join(", ")}.`] : []),
    ...(unused.length > 0
      ? [`Not in the file, unchanged: ${unused.join(", ")}. No account has them; --remove removes them.`]
      : []),
    ...inUse.map(
      ({ code, accounts }) =>
        `Not in the file, unchanged: ${code}. ${countOf(accounts, "account has", "accounts have")} it; change their plan with "account set-plan".`,
    ),
  ];
}

const HEADINGS = [
  "code",
  "name",
  "API",
  "per minute",
  "rows per month",
  "exports",
  "watched",
  "accounts",
  "listed",
  "feeds",
];

const cells = (plan: PlanShown) => [
  plan.code,
  plan.name,
  plan.api_access ? "yes" : "no",
  plan.requests_per_minute,
  count(plan.rows_per_month),
  plan.concurrent_exports,
  count(plan.watched_carriers),
  plan.accounts,
  plan.listed ? (plan.price ?? "on request") : "no",
  Object.entries(plan.feeds)
    .map(([feed, states]) => (states === null ? feed : `${feed} (${states.join(" ")})`))
    .join(", "),
];
