import { examples, packages } from "../../generated/downloads.ts";
import { markdownTable } from "./markdown-table.ts";

/** Each package with the command that gets it from this address. */
export const packageCommands = (address: string): string =>
  packages
    .map(
      ({ title, command, path }) =>
        `${title}:\n\n\`\`\`bash\n${command.replace("URL", address + path)}\n\`\`\``,
    )
    .join("\n\n");

/** The examples by folder, each file as a link. */
export const exampleTable = (): string =>
  markdownTable(
    ["Example", "What it does", "Files"],
    examples.map(({ folder, about, files }) => [
      `\`${folder}\``,
      about,
      files.map((name) => `[\`${name}\`](/examples/${folder}/${name})`).join(", "),
    ]),
  );
