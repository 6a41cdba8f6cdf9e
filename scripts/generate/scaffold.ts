import { existsSync } from "node:fs";
import path from "node:path";
import type { Contract, Operation } from "./contract/contract.ts";
import { writeIfChanged } from "./write-if-changed.ts";

/** Writes a first handler for each live operation that has none; returns the written files. */
export async function scaffoldHandlers({ operations }: Contract, folder: string): Promise<string[]> {
  const missing = operations
    .filter(({ isLive }) => isLive)
    .map((operation) => ({ operation, file: path.join(folder, `${operation.id}.ts`) }))
    .filter(({ file }) => !existsSync(file));
  for (const { operation, file } of missing) await writeIfChanged(file, handlerFile(operation));
  return missing.map(({ file }) => file);
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
