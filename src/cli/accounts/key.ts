import { Command } from "commander";
import { ALL_SCOPES, areUsual, USUAL_SCOPES } from "../../accounts/keys/grant.ts";
import { isTestKey } from "../../accounts/keys/key-format.ts";
import { checkedTerms, type KeyTerms } from "../../accounts/keys/key-terms.ts";
import { createKey, listKeys, revokeKey, rotateAnyKey } from "../../accounts/keys/keys.ts";
import { MOST_GRACE_SECONDS, USUAL_GRACE_SECONDS } from "../../accounts/keys/managed-keys.ts";
import type { KeyShown } from "../../accounts/keys/shown-key.ts";
import { InvalidRequestError } from "../../platform/http/invalid-request.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { createTestKey, listTestKeys, revokeTestKey, rotateTestKey } from "../../testmode/test-keys.ts";
import { accountIdFrom, timeFrom, wholeNumberFrom } from "../terminal/arguments.ts";
import { table } from "../terminal/print.ts";
import { changing, reporting } from "../terminal/reporting.ts";

export function keyCommand(): Command {
  const key = new Command("key").description("API keys of accounts");
  addCreate(key);
  reporting(
    key
      .command("list")
      .description("Show the keys, revoked ones too, without their secrets")
      .option("--account <id>", "only the keys of this account"),
    async (context, { account }: { account?: string }) => {
      const accountId = account === undefined ? undefined : accountIdFrom(account);
      const keys = [...(await listKeys(context, accountId)), ...(await listTestKeys(context, accountId))];
      return { value: keys, lines: table(HEADINGS, keys.map(cells)) };
    },
  );
  changing(
    key
      .command("rotate <key>")
      .description("Give a key a new secret and print it; the old one works for a while")
      .option(
        "--grace <seconds>",
        `how long the old secret works, 0 to ${MOST_GRACE_SECONDS}`,
        `${USUAL_GRACE_SECONDS}`,
      )
      .option("--test", OF_TEST_MODE),
    async (context, named: string, { grace, test }: { grace: string; test?: boolean }) => {
      const graceSeconds = wholeNumberFrom("--grace", grace, 0, MOST_GRACE_SECONDS);
      const rotate = test || isTestKey(named) ? rotateTestKey : rotateAnyKey;
      const rotated = await rotate(context, named, graceSeconds);
      const until = rotated.previous_valid_until;
      const old = until === null ? "The old secret has ended." : `The old secret works until ${until}.`;
      return { value: rotated, lines: [rotated.key, KEEP_IT, old] };
    },
  );
  changing(
    key
      .command("revoke <key>")
      .description("Revoke a key for ever; name it by its identifier or its prefix")
      .option("--test", OF_TEST_MODE),
    async (context, named: string, { test }: { test?: boolean }) => {
      const revoke = test || isTestKey(named) ? revokeTestKey : revokeKey;
      const revoked = await revoke(context, named);
      return { value: revoked, lines: [`The key ${revoked.id} is revoked.`] };
    },
  );
  return key;
}

const OF_TEST_MODE = "the key is a test key, as its prefix says too";
const KEEP_IT = "Keep it now: only its hash is stored, so it cannot be shown again.";

interface CreateOptions {
  account: string;
  name: string;
  scope: string[];
  expires?: string;
  network: string[];
  test?: boolean;
}

const addCreate = (key: Command): Command =>
  changing(
    key
      .command("create")
      .description("Make a key and print it; it cannot be shown again")
      .requiredOption("--account <id>", "number of the account")
      .option("--name <name>", "what the key is for", "default")
      .option(
        "--scope <scope...>",
        `what it may do, of ${ALL_SCOPES.join(", ")}; without it ${USUAL_SCOPES.join(", ")}`,
        [],
      )
      .option("--expires <time>", "when it ends: a day, which begins at 0:00 UTC, or a time with its zone")
      .option("--network <network...>", "addresses or networks in CIDR form that it may be used from", [])
      .option("--test", "make a test key; the first one of an installation takes some seconds"),
    async (context, { account, name, test, ...asked }: CreateOptions) => {
      const terms = termsFrom(asked, context.clock.now());
      const accountId = accountIdFrom(account);
      const created = test
        ? await createTestKey(context, accountId, name, { terms })
        : await createKey(context, accountId, name, terms);
      return { value: created, lines: [created.key, KEEP_IT] };
    },
  );

/** OperatorError that names the option. */
function termsFrom(
  { scope, expires, network }: Omit<CreateOptions, "account" | "name" | "test">,
  now: Date,
): KeyTerms {
  try {
    const expiresAt = expires === undefined ? undefined : timeFrom("--expires", expires).toISOString();
    return checkedTerms({ scopes: scope, expires_at: expiresAt, allowed_networks: network }, now);
  } catch (error) {
    const [fault] = error instanceof InvalidRequestError ? error.faults : [];
    if (fault === undefined) throw error;
    throw new OperatorError(`${OPTION_OF[String(fault.loc[1])]} ${fault.msg}.`);
  }
}

const OPTION_OF: Readonly<Record<string, string>> = {
  scopes: "--scope",
  expires_at: "--expires",
  allowed_networks: "--network",
};

const HEADINGS = ["key", "account", "name", "state", "scopes", "expires", "networks", "last used"];

const cells = (key: KeyShown) => [
  key.prefix,
  key.account_id,
  key.name,
  key.state === "in_grace" ? `old secret until ${key.previous_valid_until}` : key.state,
  areUsual(key.scopes) ? "usual" : key.scopes.join(" "),
  key.expires_at ?? "never",
  key.allowed_networks?.join(" ") ?? "any",
  key.last_used_at ?? "never",
];
