import { Command } from "commander";
import {
  type AccountShown,
  createAccount,
  listAccounts,
  readAccount,
  setPlan,
} from "../../accounts/accounts.ts";
import { inviteOwner, SIGN_IN_LINK_MINUTES, signInLink } from "../../accounts/sessions/sign-in-links.ts";
import { accountIdFrom } from "../terminal/arguments.ts";
import { table } from "../terminal/print.ts";
import { changing, reporting } from "../terminal/reporting.ts";
import { addLifeCommands } from "./account-life.ts";
import { personCommand } from "./person.ts";

interface NewAccount {
  name: string;
  email: string;
  plan: string;
}

export function accountCommand(): Command {
  const account = new Command("account").description("Customers");
  changing(
    account
      .command("create")
      .description("Open an account")
      .requiredOption("--name <name>", "the customer's name")
      .requiredOption("--email <address>", "the e-mail address of the account's first owner")
      .requiredOption("--plan <code>", 'the code of its plan; "plan list" shows the codes'),
    async (context, { name, email, plan }: NewAccount) => {
      const created = await createAccount(context, { name, email, planCode: plan });
      const signInUrl = await inviteOwner(context, created);
      // Without a mail server, the link is printed instead.
      const isMailed = context.config.smtpUrl !== null;
      const lines = [
        `Account ${created.id} is on plan ${created.plan}. Make a key for it: npm run -s tdf -- key create --account ${created.id}`,
        isMailed
          ? `A link that signs in to the dashboard is mailed to ${created.email}.`
          : `Sign in to the dashboard, once and within ${SIGN_IN_LINK_MINUTES} minutes: ${signInUrl}`,
      ];
      return { value: summary(created), lines };
    },
  );
  changing(
    account
      .command("sign-in-link <account>")
      .description(
        `Print a link that signs in to the account's dashboard; it works once, within ${SIGN_IN_LINK_MINUTES} minutes`,
      )
      .option("--email <address>", "the person to sign in, instead of the first owner"),
    async (context, id: string, { email }: { email?: string }) => {
      const account = await readAccount(context, accountIdFrom(id));
      const url = await signInLink(context, account.id, email);
      return { value: { account_id: account.id, url }, lines: [url] };
    },
  );
  reporting(account.command("list").description("Show every account"), async (context) => {
    const accounts = await listAccounts(context);
    return { value: accounts, lines: table(HEADINGS, accounts.map(cells)) };
  });
  changing(
    account
      .command("set-plan <account> <plan>")
      .description("Change the plan of an account; the next request is on the new one"),
    async (context, id: string, plan: string) => {
      const changed = await setPlan(context, accountIdFrom(id), plan);
      return { value: summary(changed), lines: [`Account ${changed.id} is on plan ${changed.plan} now.`] };
    },
  );
  addLifeCommands(account);
  account.addCommand(personCommand());
  return account;
}

const summary = ({ id, name, email, plan }: AccountShown) => ({ id, name, email, plan });

const HEADINGS = ["id", "name", "e-mail", "plan", "licence reference", "state"];

const cells = (account: AccountShown) => [
  account.id,
  account.name,
  account.email,
  account.plan,
  account.licence_ref,
  stateOf(account),
];

function stateOf({ suspension, closed_at }: AccountShown): string {
  if (closed_at !== null) return `closed ${closed_at}`;
  return suspension === null ? "open" : `suspended: ${suspension}`;
}
