import { Command } from "commander";
import { registryGenerateCommand } from "./registry-generate.ts";

export function registryCommand(): Command {
  return new Command("registry")
    .description("Registry files: write made-up ones in the official formats")
    .addCommand(registryGenerateCommand());
}
