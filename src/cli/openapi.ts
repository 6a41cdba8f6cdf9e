import { readFileSync } from "node:fs";
import { Command } from "commander";

export function openapiCommand(): Command {
  return new Command("openapi").description("Print the contract, openapi.yaml").action(() => {
    process.stdout.write(readFileSync(new URL("../../openapi.yaml", import.meta.url)));
  });
}
