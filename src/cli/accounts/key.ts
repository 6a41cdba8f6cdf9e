import { Command } from "commander";
import { createKey, type KeyShown, listKeys, revokeKey } from "../../accounts/keys/keys.ts";
import { print, table } from "../print.ts";
import { withContext } from "../with-context.ts";
import { accountIdFrom } from "./account-id.ts";

interface Flags {
  json?: boolean;
}

export function keyCommand(): Command {
  const key = new Command("key").description("API keys of accounts");
  key
    .command("create")
    .description("Make a key and print it, this once")
    .requiredOption("--account <id>", "whose key it is")
    .option("--name <name>", "what it is for", "default")
    .option("--json", "print as JSON")
    .action((flags: Flags & { account: string; name: string }) =>
      withContext(async (context) => {
        const created = await createKey(context, accountIdFrom(flags.account), flags.name);
        print(created, flags, () => [
          created.key,
          "Keep it now: only a hash of it is stored, and it cannot be shown again.",
        ]);
      }),
    );
  key
    .command("list")
    .description("Show keys, revoked ones too, never their secrets")
    .option("--account <id>", "only this account's")
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
    .description("Revoke a key, named by its identifier or its prefix; it is refused from now on, for ever")
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
