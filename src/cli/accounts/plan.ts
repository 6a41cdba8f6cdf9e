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
    .description("Add and change the plans of a YAML file (src/accounts/plans/plans.yaml shows the form)")
    .option("--remove", "also remove the plans that are not in the file and that no account is on")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      `
Plans that are not in the file stay as they are and are named. With --remove, those that no account is on are removed. A
plan that accounts are on is never removed: move them with "account set-plan" first.`,
    )
    .action((file: string, flags: ApplyFlags) =>
      withContext(async (context) => {
        const removesUnused = flags.remove ?? false;
        const applied = await applyPlans(context, file, PLAN_WORDS, { removesUnused });
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

function told({ applied, removed, kept }: PlansApplied): string[] {
  const inUse = kept.filter(({ accounts }) => accounts > 0);
  const unused = kept.filter(({ accounts }) => accounts === 0).map(({ code }) => code);
  return [
    `Applied: ${applied.join(", ")}.`,
    ...(removed.length > 0
      ? [`Removed, since they are not in the file and no account is on them: ${removed.join(", ")}.`]
      : []),
    ...(unused.length > 0
      ? [
          `Not in the file and left as they were: ${unused.join(", ")}. No account is on them; --remove removes them.`,
        ]
      : []),
    ...inUse.map(
      ({ code, accounts }) =>
        `Kept as it was, since accounts are on it (${accounts}): ${code}. Move them with "account set-plan".`,
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
