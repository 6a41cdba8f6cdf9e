import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type FeedCode, feedOf } from "../../../src/feeds/catalogue.ts";
import { prepareRows } from "../../../src/feeds/row-files/read-lines.ts";
import type { FeedVersion } from "../../../src/feeds/versions/feed-version.ts";
import { currentVersion } from "../../../src/feeds/versions/versions.ts";
import type { Context } from "../../../src/platform/context.ts";

const cacheOf = ({ config }: Pick<Context, "config">): string => path.join(config.dataDir, "cache");

/** Leaves a process no place for files of rows. It still reads those that it has open. */
export async function blockRowCache(context: Pick<Context, "config">): Promise<void> {
  for (;;) {
    await freeRowCache(context);
    try {
      await writeFile(cacheOf(context), "", { flag: "wx" });
      return;
    } catch (error) {
      // The process made its folder again meanwhile.
      if (!["EEXIST", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}

/** Takes blockRowCache back, or the files away. */
export async function freeRowCache({ config }: Pick<Context, "config">): Promise<void> {
  // Moved first: a process that fills the folder while it is removed would put files into it again.
  const away = await mkdtemp(path.join(config.dataDir, "removed-"));
  await rename(cacheOf({ config }), path.join(away, "cache")).catch(() => {});
  await rm(away, { recursive: true, force: true, maxRetries: 10 });
}

/** Makes a process read the current version of a feed from its file. */
export async function fillRowCache(context: Context, feedCode: FeedCode): Promise<FeedVersion> {
  const feed = feedOf(feedCode);
  const version = feed && (await currentVersion(context, feed));
  if (!version) throw new Error("There is no version.");
  await prepareRows(context, version);
  return version;
}
