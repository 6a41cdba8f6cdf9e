import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect } from "vitest";
import { createTestDatabase } from "../../../support/database.ts";
import { type Printed, runTdf } from "../../../support/processes/command.ts";
import { TEST_SECRETS_KEY } from "../../../support/secrets.ts";

export const SHIPPED_PLANS = fileURLToPath(
  new URL("../../../../src/accounts/plans/plans.yaml", import.meta.url),
);

export let database: Awaited<ReturnType<typeof createTestDatabase>>;
export let folder: string;

/** The output of a command on each stream, and its exit status. */
export const tdf = (...words: string[]): Promise<Printed> =>
  runTdf({ DATABASE_URL: database.url, DATA_DIR: folder, SECRETS_KEY: TEST_SECRETS_KEY }, ...words);

export async function json(...words: string[]) {
  const { out, err, status } = await tdf(...words, "--json");
  expect({ err, status }).toEqual({ err: "", status: 0 });
  return JSON.parse(out);
}

export const newAccount = [
  "account",
  "create",
  "--name",
  "Ada Freight",
  "--email",
  "ada@freight.example",
  "--plan",
];

/** A database and a data folder of the commands of one test file. */
export function useAccountCommands(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(path.join(tmpdir(), "tdf-cli-"));
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });
}
