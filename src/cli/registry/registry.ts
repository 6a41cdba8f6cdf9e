import { Command } from "commander";
import { registryDownloadCommand } from "./registry-download.ts";
import { registryGenerateCommand } from "./registry-generate.ts";

export function registryCommand(): Command {
  return new Command("registry")
    .description("Registry files: fetch the official ones, or write made-up ones in their formats")
    .addCommand(registryDownloadCommand())
    .addCommand(registryGenerateCommand());
}
