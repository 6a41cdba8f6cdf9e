import { rm } from "node:fs/promises";
import type { Config } from "../../src/platform/config/config.ts";
import { findCluster } from "../../src/platform/embedded/cluster-place.ts";
import { benchFolder } from "./bench.ts";

/** Removes all that runs keep between each other. */
export async function cleanUp(config: Config): Promise<void> {
  const folder = benchFolder(config);
  const cluster = await findCluster(folder);
  if (cluster !== null) await rm(cluster, { recursive: true });
  await rm(folder, { recursive: true, force: true });
}
