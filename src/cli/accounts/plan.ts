import { Command } from "commander";
import { applyPlans, listPlans, type PlanShown, type PlansApplied } from "../../accounts/plans/plans.ts";
import { count, print, table } from "../print.ts";
import { withContext } from "../with-context.ts";
import { PLAN_WORDS } from "./first-plans.ts";

interface Flags {
  json?: boolean;
}

interface ApplyFlags extends Flags {
  remove?: boolean;
}

export function planCommand(): Command {
  const plan = new Command("plan").description("What customers may use");
  plan
    .command("apply <file>")
    .description("Add or change the plans of a YAML file (see src/accounts/plans/plans.yaml)")
    .option("--remove", "also remove plans that are not in the file and have no account")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      `
Plans that are not in the file do not change, and their codes are printed. --remove removes those that no account has. A
plan that accounts have is never removed: change their plan with "account set-plan" first.`,
    )
    .action((file: string, flags: ApplyFlags) =>
      withContext(async (context) => {
        const removesUnused = flags.remove ?? false;
        const applied = await applyPlans(context, file, PLAN_WORDS, { removesUnused });
        print(applied, flags, () => outcomeLines(applied));
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
        `Not in the file, unchanged: ${code}. ${accounts} accounts have it; change their plan with "account set-plan".`,
    ),
  ];
}

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
