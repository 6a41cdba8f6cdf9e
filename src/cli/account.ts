import { Command } from "commander";
import { type AccountShown, createAccount, listAccounts, setPlan } from "../accounts/accounts.ts";
import { accountIdFrom } from "./account-id.ts";
import { print, table } from "./print.ts";
import { withContext } from "./with-context.ts";

interface Flags {
  json?: boolean;
}

interface NewAccountFlags extends Flags {
  name: string;
  email: string;
  plan: string;
}

export function accountCommand(): Command {
  const account = new Command("account").description("Customers");
  account
    .command("create")
    .description("Open an account")
    .requiredOption("--name <name>", "the customer's name")
    .requiredOption("--email <address>", "where the customer is written to")
    .requiredOption("--plan <code>", 'its plan, one of those "plan list" shows')
    .option("--json", "print as JSON")
    .action((flags: NewAccountFlags) =>
      withContext(async (context) => {
        const { name, email, plan } = flags;
        const created = await createAccount(context, { name, email, planCode: plan });
        print(summary(created), flags, () => [
          `Account ${created.id} is on plan ${created.plan}. Give it a key: key create --account ${created.id}`,
        ]);
      }),
    );
  account
    .command("list")
    .description("Show every account")
    .option("--json", "print as JSON")
    .action((flags: Flags) =>
      withContext(async (context) => {
        const accounts = await listAccounts(context);
        print(accounts, flags, () =>
          table(["id", "name", "e-mail", "plan", "licence reference"], accounts.map(cells)),
        );
      }),
    );
  account
    .command("set-plan <account> <plan>")
    .description("Move an account to another plan, from its next request on")
    .option("--json", "print as JSON")
    .action((id: string, plan: string, flags: Flags) =>
      withContext(async (context) => {
        const changed = await setPlan(context, accountIdFrom(id), plan);
        print(summary(changed), flags, () => [`Account ${changed.id} is on plan ${changed.plan} now.`]);
      }),
    );
  return account;
}

const summary = ({ id, name, email, plan }: AccountShown) => ({ id, name, email, plan });

const cells = (account: AccountShown) => [
  account.id,
  account.name,
  account.email,
  account.plan,
  account.licence_ref,
];
