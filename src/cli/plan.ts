import { Command } from "commander";
import { applyPlans, listPlans, type PlanShown, type PlansApplied } from "../accounts/plans.ts";
import { PLAN_WORDS } from "./first-plans.ts";
import { count, print, table } from "./print.ts";
import { withContext } from "./with-context.ts";

interface Flags {
  json?: boolean;
}

export function planCommand(): Command {
  const plan = new Command("plan").description("What customers may use");
  plan
    .command("apply <file>")
    .description("Make the plans those of a YAML file (src/accounts/plans.yaml shows the form)")
    .option("--json", "print as JSON")
    .action((file: string, flags: Flags) =>
      withContext(async (context) => {
        const applied = await applyPlans(context, file, PLAN_WORDS);
        print(applied, flags, () => told(applied));
      }),
    );
  plan
    .command("list")
    .description("Show every plan")
    .option("--json", "print as JSON")
    .action((flags: Flags) =>
      withContext(async (context) => {
        const plans = await listPlans(context);
        print(plans, flags, () =>
          table(
            ["code", "name", "API", "per minute", "rows per month", "exports", "accounts", "feeds"],
            plans.map(cells),
          ),
        );
      }),
    );
  return plan;
}

const told = ({ applied, removed, kept }: PlansApplied): string[] => [
  `Applied: ${applied.join(", ")}.`,
  ...(removed.length > 0 ? [`Removed, since no account is on them: ${removed.join(", ")}.`] : []),
  ...kept.map(
    ({ code, accounts }) =>
      `Kept as it was, since accounts are on it (${accounts}): ${code}. Move them with "account set-plan".`,
  ),
];

const cells = (plan: PlanShown) => [
  plan.code,
  plan.name,
  plan.api_access ? "yes" : "no",
  plan.requests_per_minute,
  count(plan.rows_per_month),
  plan.concurrent_exports,
  plan.accounts,
  Object.entries(plan.feeds)
    .map(([feed, states]) => (states === null ? feed : `${feed} (${states.join(" ")})`))
    .join(", "),
];
