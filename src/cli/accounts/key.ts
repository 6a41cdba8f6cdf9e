import { Command } from "commander";
import { createKey, type KeyShown, listKeys, revokeKey } from "../../accounts/keys/keys.ts";
import { accountIdFrom } from "../arguments.ts";
import { print, table } from "../print.ts";
import { withContext } from "../with-context.ts";

interface Flags {
  json?: boolean;
}

export function keyCommand(): Command {
  const key = new Command("key").description("API keys of accounts");
  key
    .command("create")
    .description("Make a key and print it; it cannot be shown again")
    .requiredOption("--account <id>", "number of the account")
    .option("--name <name>", "what the key is for", "default")
    .option("--json", "print as JSON")
    .action((flags: Flags & { account: string; name: string }) =>
      withContext(async (context) => {
        const created = await createKey(context, accountIdFrom(flags.account), flags.name);
        print(created, flags, () => [
          created.key,
          "Keep it now: only its hash is stored, so it cannot be shown again.",
        ]);
      }),
    );
  key
    .command("list")
    .description("Show the keys, revoked ones too, without their secrets")
    .option("--account <id>", "only the keys of this account")
    .option("--json", "print as JSON")
    .action((flags: Flags & { account?: string }) =>
      withContext(async (context) => {
        const accountId = flags.account === undefined ? undefined : accountIdFrom(flags.account);
        const keys = await listKeys(context, accountId);
        print(keys, flags, () =>
          table(["id", "account", "name", "created", "last used", "revoked"], keys.map(cells)),
        );
      }),
    );
  key
    .command("revoke <key>")
    .description("Revoke a key for ever; name it by its identifier or its prefix")
    .option("--json", "print as JSON")
    .action((named: string, flags: Flags) =>
      withContext(async (context) => {
        const revoked = await revokeKey(context, named);
        print(revoked, flags, () => [`The key ${revoked.id} is revoked.`]);
      }),
    );
  return key;
}

const cells = (key: KeyShown) => [
  key.id,
  key.account_id,
  key.name,
  key.created_at,
  key.last_used_at ?? "never",
  key.revoked_at ?? "",
];
