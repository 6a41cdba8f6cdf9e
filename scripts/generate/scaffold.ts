import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Contract, Operation } from "./contract.ts";
import { writeIfChanged } from "./write-if-changed.ts";

/** Writes a first handler for each live operation without one, and the index of all; returns the written files. */
export async function scaffoldHandlers({ operations }: Contract, folder: string): Promise<string[]> {
  const written: string[] = [];
  const write = async (name: string, text: string) => {
    const file = path.join(folder, name);
    if (await writeIfChanged(file, text)) written.push(file);
  };
  for (const operation of operations.filter((each) => each.isLive)) {
    const name = `${operation.id}.ts`;
    if (!existsSync(path.join(folder, name))) await write(name, handlerFile(operation));
  }
  await write("index.ts", indexFile(await readdir(folder)));
  return written;
}

const handlerFile = ({
  id,
  path,
  method,
}: Operation): string => `import type { Handler } from "../../generated/operations.ts";

/** ${method} ${path} */
export const ${id}: Handler<"${id}"> = async (_input, _context) => {
  throw new Error("${id} is not written yet");
};
`;

function indexFile(names: string[]): string {
  const ids = names
    .filter((name) => name.endsWith(".ts") && name !== "index.ts")
    .map((name) => name.slice(0, -".ts".length))
    .sort();
  return `import type { Handlers } from "../../generated/operations.ts";
${ids.map((id) => `import { ${id} } from "./${id}.ts";`).join("\n")}

/** Every live operation's handler; the compiler refuses a missing and an extra one. */
export const handlers: Handlers = {
${ids.map((id) => `  ${id},`).join("\n")}
};
`;
}
