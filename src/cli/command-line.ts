import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import {
  DatabaseUnavailableError,
  hasNoRight,
  toDatabaseError,
} from "../platform/database/database-error.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { VERSION } from "../platform/version.ts";
import { requireOwnValues } from "./terminal/arguments.ts";
import { exitStatusOf } from "./terminal/exit-status.ts";

/** Every command, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import("./service/start.ts")).startCommand(),
  serve: async () => (await import("./service/serve.ts")).serveCommand(),
  dispatch: async () => (await import("./service/dispatch.ts")).dispatchCommand(),
  migrate: async () => (await import("./migrate.ts")).migrateCommand(),
  upgrade: async () => (await import("./registry/upgrade.ts")).upgradeCommand(),
  backup: async () => (await import("./backup.ts")).backupCommand(),
  restore: async () => (await import("./backup.ts")).restoreCommand(),
  recovered: async () => (await import("./backup.ts")).recoveredCommand(),
  registry: async () => (await import("./registry/registry.ts")).registryCommand(),
  import: async () => (await import("./registry/import.ts")).importCommand(),
  status: async () => (await import("./status.ts")).statusCommand(),
  admin: async () => (await import("./admin.ts")).adminCommand(),
  feed: async () => (await import("./registry/feed.ts")).feedCommand(),
  explain: async () => (await import("./registry/explain.ts")).explainCommand(),
  carrier: async () => (await import("./registry/carrier.ts")).carrierCommand(),
  plan: async () => (await import("./accounts/plan.ts")).planCommand(),
  access: async () => (await import("./accounts/access.ts")).accessCommand(),
  account: async () => (await import("./accounts/account.ts")).accountCommand(),
  key: async () => (await import("./accounts/key.ts")).keyCommand(),
  contacts: async () => (await import("./registry/contacts.ts")).contactsCommand(),
  removal: async () => (await import("./removals/removal.ts")).removalCommand(),
  webhook: async () => (await import("./webhooks/webhook.ts")).webhookCommand(),
  log: async () => (await import("./log.ts")).logCommand(),
  openapi: async () => openapiCommand(),
};

function openapiCommand(): Command {
  return new Command("openapi").description("Print the contract, openapi.yaml").action(() => {
    process.stdout.write(readFileSync(new URL("../../openapi.yaml", import.meta.url)));
  });
}

/** Every command, loaded. */
export const loadCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(COMMANDS).map((load) => load()));

/** Runs the command that the arguments name. An error becomes a line on standard error and an exit status. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  for (const [stream, onError] of [
    [process.stdout, tellOfBrokenOutput],
    [process.stderr, ignoreBrokenOutput],
  ] as const) {
    if (!stream.listeners("error").includes(onError)) stream.on("error", onError);
  }
  const program = new Command("tdf")
    .description("Trucking Data Feed: imports registry files and serves feeds")
    .version(VERSION, "--version", "print the program's version")
    .enablePositionalOptions()
    .showHelpAfterError("(--help shows commands and options)")
    .hook("preAction", (_, command) => requireOwnValues(command))
    .exitOverride();
  for (const load of commandsFor(argv[2])) program.addCommand(throwing(await load()));
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = exitStatusOf(error);
    // Commander has printed its own.
    if (error instanceof CommanderError) return;
    const unexpected = `An unexpected error: ${(error as Error).stack}`;
    process.stderr.write(`${failureLine(error) ?? unexpected}\n`);
  }
}

/**
 * A reader such as `head` may close the pipe when it has enough. The command still does its work to the end, also when its
 * output can't be written for another reason, which is told once.
 */
function tellOfBrokenOutput(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE" || process.exitCode) return;
  process.exitCode = exitStatusOf(error);
  process.stderr.write(`The output can't be written: ${reasonOf(error)}.\n`);
}

/** Nobody is left to hear of it. */
function ignoreBrokenOutput(): void {}

/** A command that throws where Commander would end the process, and so do the commands below it. */
function throwing(command: Command): Command {
  command.commands.forEach(throwing);
  return command.exitOverride();
}

/** Loads only the command to run, none for the version, or all of them for the help. */
function commandsFor(name: string | undefined): (() => Promise<Command>)[] {
  if (name === "--version") return [];
  const named = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return named === undefined ? Object.values(COMMANDS) : [named];
}

/** One line about an error that the operator can solve, or null for an error of the program. */
function failureLine(error: unknown): string | null {
  if (error instanceof OperatorError) return error.message;
  if (hasNoRight(error)) {
    return `${firstLine(rootOf(error as Error))}. This command needs the owner of the tables: name that role in DATABASE_URL.`;
  }
  const known = toDatabaseError(error);
  if (known instanceof DatabaseUnavailableError) return `${firstLine(known)}. ${remedyOf(known)}`;
  return fileSystemLine(error);
}

/** The error that an error wraps. */
const rootOf = (error: Error): Error => (error.cause instanceof Error ? rootOf(error.cause) : error);

const remedyOf = ({ isDiskFull }: DatabaseUnavailableError): string =>
  isDiskFull
    ? "Free some space on the disk and run the command again."
    : "Start the database and run the command again.";

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system can only be read",
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
};

/** A line about a file that cannot be used. */
function fileSystemLine(error: unknown): string | null {
  const { code = "", path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (REASONS[code] === undefined || syscall === undefined) return null;
  return `${path ?? "A file"} can't be used: ${reasonOf(error as NodeJS.ErrnoException)}.`;
}

const reasonOf = ({ code = "", syscall, message }: NodeJS.ErrnoException): string =>
  REASONS[code] === undefined ? message : `${REASONS[code]} (${syscall} ${code})`;

const firstLine = (error: Error): string => (error.message.split("\n")[0] ?? "").replace(/\.$/, "");
