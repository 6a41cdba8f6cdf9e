import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../context.ts";
import { OperatorError } from "../operator-error.ts";

/**
 * The keys for sealing: those of SECRETS_KEY, or for the embedded database the key in `dataDir`/secrets.key, which the
 * first start creates (mode 0600). Empty for a database of DATABASE_URL without SECRETS_KEY.
 */
export async function secretsKeysOf(config: Config): Promise<readonly Buffer[]> {
  if (config.secretsKeys.length > 0 || config.databaseUrl !== null) return config.secretsKeys;
  const file = path.join(config.dataDir, "secrets.key");
  return [(await readKey(file)) ?? (await makeKey(file))];
}

async function readKey(file: string): Promise<Buffer | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new OperatorError(`${file} can't be read (${error.code}).`);
  });
  if (text === null) return null;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === 32) return key;
  throw new OperatorError(`${file} does not hold 32 bytes in base64. Restore the key that was there before.`);
}

async function makeKey(file: string): Promise<Buffer> {
  await mkdir(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "w" });
  await chmod(unfinished, 0o600);
  // The link fails when another process was first. Then that process's key counts.
  await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(unfinished);
  const key = await readKey(file);
  if (key) return key;
  throw new OperatorError(`${file} was deleted while it was created. Start again.`);
}
