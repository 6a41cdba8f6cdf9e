import { Command, CommanderError } from "commander";
import { VERSION } from "../platform/version.ts";
import { failureLine } from "./failure-line.ts";

/** Every command, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import("./service/start.ts")).startCommand(),
  serve: async () => (await import("./service/serve.ts")).serveCommand(),
  dispatch: async () => (await import("./service/dispatch.ts")).dispatchCommand(),
  migrate: async () => (await import("./migrate.ts")).migrateCommand(),
  backup: async () => (await import("./backup/backup.ts")).backupCommand(),
  restore: async () => (await import("./backup/restore.ts")).restoreCommand(),
  registry: async () => (await import("./registry/registry.ts")).registryCommand(),
  import: async () => (await import("./registry/import.ts")).importCommand(),
  status: async () => (await import("./status.ts")).statusCommand(),
  feed: async () => (await import("./registry/feed.ts")).feedCommand(),
  explain: async () => (await import("./registry/explain.ts")).explainCommand(),
  carrier: async () => (await import("./registry/carrier.ts")).carrierCommand(),
  plan: async () => (await import("./accounts/plan.ts")).planCommand(),
  account: async () => (await import("./accounts/account.ts")).accountCommand(),
  key: async () => (await import("./accounts/key.ts")).keyCommand(),
  contacts: async () => (await import("./registry/contacts.ts")).contactsCommand(),
  removal: async () => (await import("./removals/removal.ts")).removalCommand(),
  webhook: async () => (await import("./webhooks/webhook.ts")).webhookCommand(),
  openapi: async () => (await import("./openapi.ts")).openapiCommand(),
};

/** Every command, loaded. */
export const loadCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(COMMANDS).map((load) => load()));

/** Runs the command that the arguments name. An error becomes a line on standard error and an exit status. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const program = new Command("tdf")
    .description("Trucking Data Feed: imports registry files and serves feeds")
    .version(VERSION, "--version", "print the program's version")
    .enablePositionalOptions()
    .showHelpAfterError("(--help shows commands and options)")
    .exitOverride();
  for (const load of commandsFor(argv[2])) program.addCommand((await load()).exitOverride());
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof CommanderError) process.exitCode = error.exitCode;
    else {
      const unexpected = `An unexpected error: ${(error as Error).stack}`;
      process.stderr.write(`${failureLine(error) ?? unexpected}\n`);
    }
  }
}

/** Loads only the command to run, none for the version, or all of them for the help. */
function commandsFor(name: string | undefined): (() => Promise<Command>)[] {
  if (name === "--version") return [];
  const named = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return named === undefined ? Object.values(COMMANDS) : [named];
}
