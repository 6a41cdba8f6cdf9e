import { Command } from "commander";
import { createKey, type KeyShown, listKeys, revokeKey } from "../../accounts/keys/keys.ts";
import { accountIdFrom } from "../terminal/arguments.ts";
import { table } from "../terminal/print.ts";
import { changing, reporting } from "../terminal/reporting.ts";

export function keyCommand(): Command {
  const key = new Command("key").description("API keys of accounts");
  changing(
    key
      .command("create")
      .description("Make a key and print it; it cannot be shown again")
      .requiredOption("--account <id>", "number of the account")
      .option("--name <name>", "what the key is for", "default"),
    async (context, { account, name }: { account: string; name: string }) => {
      const created = await createKey(context, accountIdFrom(account), name);
      const warning = "Keep it now: only its hash is stored, so it cannot be shown again.";
      return { value: created, lines: [created.key, warning] };
    },
  );
  reporting(
    key
      .command("list")
      .description("Show the keys, revoked ones too, without their secrets")
      .option("--account <id>", "only the keys of this account"),
    async (context, { account }: { account?: string }) => {
      const keys = await listKeys(context, account === undefined ? undefined : accountIdFrom(account));
      return { value: keys, lines: table(HEADINGS, keys.map(cells)) };
    },
  );
  changing(
    key.command("revoke <key>").description("Revoke a key for ever; name it by its identifier or its prefix"),
    async (context, named: string) => {
      const revoked = await revokeKey(context, named);
      return { value: revoked, lines: [`The key ${revoked.id} is revoked.`] };
    },
  );
  return key;
}

const HEADINGS = ["id", "account", "name", "created", "last used", "revoked"];

const cells = (key: KeyShown) => [
  key.id,
  key.account_id,
  key.name,
  key.created_at,
  key.last_used_at ?? "never",
  key.revoked_at ?? "",
];
