import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { isOnThisMachine } from "../../platform/config/settings.ts";
import type { Context } from "../../platform/context.ts";
import { demoFirstDay } from "../../platform/installation/installation.ts";
import { parseKey } from "./key-format.ts";
import { createKey } from "./keys.ts";

/**
 * Returns the demo account's key, the same at each start. The database has only its hash, so the key is kept in a file of
 * the data folder that nobody else may read.
 */
export async function demoKey(context: Context, accountId: number): Promise<string> {
  const kept = await keptDemoKey(context);
  if (kept !== null) return kept;
  const { key } = await createKey(context, accountId, "demo");
  await writeFile(fileOf(context), `${key}\n`, { mode: 0o600 });
  return key;
}

/**
 * The demo key for pages that anybody may see. Null unless the database holds the demo and only this machine can reach
 * the service: on any other installation no page ever shows a key.
 */
export async function shownDemoKey(context: Context): Promise<string | null> {
  if (!isOnThisMachine(context.config)) return null;
  try {
    return (await demoFirstDay(context)) === null ? null : await keptDemoKey(context);
  } catch (error) {
    // The pages explain how to go on when the database does not answer, so they are shown then too.
    context.log.warn({ err: error }, "The demo key could not be read; pages are shown without it.");
    return null;
  }
}

/** The kept key, or null when there is none or it was revoked. */
async function keptDemoKey(context: Context): Promise<string | null> {
  const kept = (await readFile(fileOf(context), "utf8").catch(() => "")).trim();
  const parsed = parseKey(kept);
  if (parsed === null) return null;
  const found = await context.db.prisma.apiKey.findUnique({ where: { id: parsed.id, revokedAt: null } });
  return found !== null && parsed.secretHash.equals(found.secretHash) ? kept : null;
}

const fileOf = ({ config }: Context): string => path.join(config.dataDir, "demo.key");
