import { Command } from "commander";
import {
  type AccountShown,
  createAccount,
  listAccounts,
  readAccount,
  setPlan,
} from "../../accounts/accounts.ts";
import { inviteOwner, SIGN_IN_LINK_MINUTES, signInLink } from "../../accounts/sessions/sign-in-links.ts";
import { accountIdFrom } from "../arguments.ts";
import { print, table } from "../print.ts";
import { withContext } from "../with-context.ts";

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
    .requiredOption("--email <address>", "the e-mail address of the account's owner")
    .requiredOption("--plan <code>", 'the code of its plan; "plan list" shows the codes')
    .option("--json", "print as JSON")
    .action((flags: NewAccountFlags) =>
      withContext(async (context) => {
        const { name, email, plan } = flags;
        const created = await createAccount(context, { name, email, planCode: plan });
        const signInUrl = await inviteOwner(context, created);
        // Without a mail server, the link is printed instead.
        const isMailed = context.config.smtpUrl !== null;
        print(summary(created), flags, () => [
          `Account ${created.id} is on plan ${created.plan}. Make a key for it: npm run -s tdf -- key create --account ${created.id}`,
          isMailed
            ? `A link that signs in to the dashboard is mailed to ${created.email}.`
            : `Sign in to the dashboard, once and within ${SIGN_IN_LINK_MINUTES} minutes: ${signInUrl}`,
        ]);
      }),
    );
  account
    .command("sign-in-link <account>")
    .description(
      `Print a link that signs in to the account's dashboard; it works once, within ${SIGN_IN_LINK_MINUTES} minutes`,
    )
    .option("--json", "print as JSON")
    .action((id: string, flags: Flags) =>
      withContext(async (context) => {
        const account = await readAccount(context, accountIdFrom(id));
        const url = await signInLink(context, account.id);
        print({ account_id: account.id, url }, flags, () => [url]);
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
    .description("Change the plan of an account; the next request is on the new one")
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
