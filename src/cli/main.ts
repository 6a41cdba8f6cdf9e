// Every process starts here: `npm run -s tdf -- <command>`.
import { Command, CommanderError } from "commander";
import { OperatorError } from "../platform/operator-error.ts";
import { accountCommand } from "./account.ts";
import { contactsCommand } from "./contacts.ts";
import { dispatchCommand } from "./dispatch.ts";
import { explainCommand } from "./explain.ts";
import { importCommand } from "./import.ts";
import { keyCommand } from "./key.ts";
import { migrateCommand } from "./migrate.ts";
import { openapiCommand } from "./openapi.ts";
import { planCommand } from "./plan.ts";
import { registryCommand } from "./registry.ts";
import { removalCommand } from "./removal.ts";
import { serveCommand } from "./serve.ts";
import { startCommand } from "./start.ts";
import { statusCommand } from "./status.ts";
import { webhookCommand } from "./webhook.ts";

const program = new Command("tdf")
  .description("Trucking Data Feed: registry files in, feeds out")
  .showHelpAfterError("(--help shows what there is)")
  .exitOverride();

for (const command of [
  startCommand(),
  serveCommand(),
  dispatchCommand(),
  migrateCommand(),
  registryCommand(),
  importCommand(),
  statusCommand(),
  explainCommand(),
  planCommand(),
  accountCommand(),
  keyCommand(),
  contactsCommand(),
  removalCommand(),
  webhookCommand(),
  openapiCommand(),
]) {
  program.addCommand(command.exitOverride());
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = 1;
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else if (error instanceof OperatorError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`Something went wrong that should not: ${(error as Error).stack}\n`);
}
