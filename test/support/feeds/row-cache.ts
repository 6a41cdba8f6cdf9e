import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Context } from "../../../src/platform/context.ts";

const cacheOf = ({ config }: Pick<Context, "config">): string => path.join(config.dataDir, "cache");

/** Leaves a process no place for files of rows. It still reads those that it has open. */
export async function blockRowCache(context: Pick<Context, "config">): Promise<void> {
  await rm(cacheOf(context), { recursive: true, force: true });
  await writeFile(cacheOf(context), "");
}

/** Takes blockRowCache back. */
export const freeRowCache = (context: Pick<Context, "config">): Promise<void> =>
  rm(cacheOf(context), { recursive: true, force: true });
