import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

/** Writes src/generated/prisma from prisma/schema, without the network. */
export async function writePrismaClient(root: string): Promise<void> {
  const cli = path.join(root, "node_modules/prisma/build/index.js");
  await promisify(execFile)(process.execPath, [cli, "generate", "--schema", "prisma/schema", "--no-hints"], {
    cwd: root,
    // Prisma downloads its schema engine unless a path is given. `generate` never runs it, so any existing file works.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" },
  });
}
