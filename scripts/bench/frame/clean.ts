import { rm } from "node:fs/promises";
import type { Config } from "../../../src/platform/context.ts";
import { findCluster } from "../../../src/platform/embedded/cluster.ts";
import { benchFolder } from "./bench.ts";

/** Removes everything that runs keep for later runs. */
export async function cleanUp(config: Config): Promise<void> {
  const folder = benchFolder(config);
  const cluster = await findCluster(folder);
  if (cluster !== null) await rm(cluster, { recursive: true });
  await rm(folder, { recursive: true, force: true });
}
