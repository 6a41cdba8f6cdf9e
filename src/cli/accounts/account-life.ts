import type { Command } from "commander";
import { renameAccount, resumeAccount, suspendAccount } from "../../accounts/account-life.ts";
import { NEW_EMAIL_HOURS, requestNewEmail } from "../../accounts/sessions/sign-in-links.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { countOf } from "../../platform/plural.ts";
import { closeAccount } from "../../webhooks/endpoints/pause-or-delete.ts";
import { accountIdFrom } from "../terminal/arguments.ts";
import { changing } from "../terminal/reporting.ts";

/** Adds the commands that suspend, resume, rename and close an account, and change its address. */
export function addLifeCommands(account: Command): void {
  addSuspension(account);
  addNewNames(account);
  addClose(account);
}

function addSuspension(account: Command): void {
  changing(
    account
      .command("suspend <account>")
      .description(
        "Refuse the keys of an account and let its deliveries wait, at once and until it is resumed",
      )
      .requiredOption("--reason <text>", "why, as a sentence that the customer sees")
      .addHelpText(
        "after",
        `
Requests with its keys are answered 403 account_suspended with the reason, and the dashboard shows it. Events are queued for
its endpoints meanwhile, and sent after "account resume". While they wait, they are kept, however old they are.

Example:
  account suspend 7 --reason "The invoice of October is not paid."`,
      ),
    async (context, id: string, { reason }: { reason: string }) => {
      const changed = await suspendAccount(context, accountIdFrom(id), reason);
      return {
        value: changed,
        lines: [`Account ${changed.id} is suspended: ${changed.suspension}`],
      };
    },
  );
  changing(
    account.command("resume <account>").description("End the suspension of an account; its deliveries go on"),
    async (context, id: string) => {
      const changed = await resumeAccount(context, accountIdFrom(id));
      return { value: changed, lines: [`Account ${changed.id} is not suspended.`] };
    },
  );
}

function addNewNames(account: Command): void {
  changing(
    account
      .command("rename <account>")
      .description("Change the name of an account")
      .requiredOption("--name <name>", "the customer's name"),
    async (context, id: string, { name }: { name: string }) => {
      const changed = await renameAccount(context, accountIdFrom(id), name);
      return { value: changed, lines: [`Account ${changed.id} is named ${changed.name} now.`] };
    },
  );
  changing(
    account
      .command("set-email <account>")
      .description(
        "Change the address of an account's first owner, once the new address confirms it by a mailed link",
      )
      .requiredOption("--email <address>", "the new e-mail address of the account's first owner")
      .addHelpText(
        "after",
        `
The link works for ${NEW_EMAIL_HOURS} hours. Until it is used, the account keeps its address. Using it signs out whoever was signed
in with the old one, and tells the old address.`,
      ),
    async (context, id: string, { email }: { email: string }) => {
      const accountId = accountIdFrom(id);
      const url = await requestNewEmail(context, accountId, email);
      const isMailed = context.config.smtpUrl !== null;
      const line = isMailed
        ? `A link is mailed to ${email.trim()}. Account ${accountId} keeps its address until the link is used.`
        : `Confirm the address, once and within ${NEW_EMAIL_HOURS} hours: ${url}`;
      return { value: { id: accountId, ...(isMailed ? {} : { url }) }, lines: [line] };
    },
  );
}

function addClose(account: Command): void {
  changing(
    account
      .command("close <account>")
      .description("Close an account for ever: its keys, sessions and webhook endpoints end")
      .option("--keep-data", "keep its name, people, log, keys without their secrets, and usage")
      .option("--erase-data", "erase these; its number and licence reference stay, which its exports name")
      .addHelpText(
        "after",
        "\nGive one of the two options. A dispatcher erases the endpoints with their deliveries some minutes later. A closed\naccount cannot be opened again. One that was closed with --keep-data can be erased later, by --erase-data.",
      ),
    async (context, id: string, { keepData = false, eraseData = false }: CloseFlags) => {
      if (keepData === eraseData)
        throw new OperatorError(`Give --keep-data or --erase-data${keepData ? ", not both" : ""}.`);
      const accountId = accountIdFrom(id);
      const closed = await closeAccount(context, accountId, { erases: eraseData });
      const line = `Account ${accountId} is closed; ${countOf(closed.keys, "key")} and ${countOf(closed.endpoints, "endpoint")} ended, and its data are ${eraseData ? "erased" : "kept"}.`;
      return { value: { id: accountId, ...closed, erased: eraseData }, lines: [line] };
    },
  );
}

interface CloseFlags {
  keepData?: boolean;
  eraseData?: boolean;
}
