import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../operator-error.ts";
import type { Config } from "./config.ts";

/**
 * The keys to seal with: those named, or, for the embedded database, one of its own in `dataDir`/secrets.key that the
 * first start makes (mode 0600). Empty for a named database without SECRETS_KEY.
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
  throw new OperatorError(
    `${file} does not hold 32 bytes in base64: put the key back that was there before.`,
  );
}

async function makeKey(file: string): Promise<Buffer> {
  await mkdir(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "w" });
  await chmod(unfinished, 0o600);
  // A link fails where another process was first, and its key is then the one.
  await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(unfinished);
  const key = await readKey(file);
  if (key) return key;
  throw new OperatorError(`${file} vanished while it was made; start again.`);
}
