// Prepares a mutation run: a generated registry of five days, a database with the first three, and the expected result of
// the fourth and fifth without mutation.
import { randomBytes } from "node:crypto";
import { link, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { generateRegistry } from "../../src/cli/registry/made-up-registry.ts";
import { importFolder } from "../../src/importer/import.ts";
import { Refusal } from "../../src/importer/read/refusal.ts";
import { addDays } from "../../src/platform/clock.ts";
import type { Context } from "../../src/platform/context.ts";
import { settableClock } from "../support/clock.ts";
import { openTestContext } from "../support/context.ts";
import { copyTestDatabase, createTestDatabase } from "../support/database.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Mutation } from "./mutation.ts";
import { REGISTRY_FILES, type RegistryFile, readText } from "./registry-file.ts";
import { type Feeds, type ServedEvent, servedEvents, servedFeeds } from "./served.ts";

export const MUTATED_DAY = 3;
const DAYS = 5;
const FIRST_DAY = "2026-11-16";

interface OpenedCopy {
  context: Context;
  close(): Promise<void>;
  /** Leaves it, unchanged as it is, to the one who opens a copy next. */
  giveBack(): void;
}

export interface PreparedDays {
  /** Opens a copy of the database before the mutated day, or one that was given back. */
  open(): Promise<OpenedCopy>;
  /** Of such a copy, as it is opened. */
  fingerprint: string;
  /** Writes a folder with the files of the mutated day, some of them changed. */
  writeMutated(mutation: Mutation): Promise<string>;
  /** Imports a day from its own files or from those in `dir`. */
  importDay(
    context: Context,
    day: number,
    dir?: string,
    accept?: ReadonlySet<string>,
  ): Promise<Refusal | null>;
  /** The feeds and events after the mutated day, and the feeds after the next day, without mutation. */
  expected: { feeds: Feeds; feedsNext: Feeds; events: ServedEvent[] };
  close(): Promise<void>;
}

export async function prepareDays({
  carriers,
  seed,
}: {
  carriers: number;
  seed: number;
}): Promise<PreparedDays> {
  const root = await mkdtemp(path.join(tmpdir(), "tdf-mutations-"));
  const [outDir, otherDir] = [path.join(root, "days"), path.join(root, "other")];
  await generateRegistry({ outDir, carriers, seed, firstDay: FIRST_DAY, days: DAYS });
  await generateRegistry({
    outDir: otherDir,
    carriers,
    seed: seed + 100,
    firstDay: FIRST_DAY,
    days: MUTATED_DAY + 1,
    fromDay: MUTATED_DAY,
  });
  const dayDir = (day: number, base = outDir) => path.join(base, `day-0${day}`);
  const clock = settableClock(`${FIRST_DAY}T18:00:00Z`);
  const importDay: PreparedDays["importDay"] = async (
    context,
    day,
    dir = dayDir(day),
    accept = new Set(),
  ) => {
    clock.set(`${addDays(FIRST_DAY, day)}T18:00:00Z`);
    try {
      await importFolder(context, { dir, asOf: null, accept });
      return null;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  };
  const expectImport = async (context: Context, day: number) => {
    const refusal = await importDay(context, day);
    if (refusal) throw refusal;
  };

  const base = await createTestDatabase();
  const context = await openTestContext(base.url, clock);
  for (let day = 0; day < MUTATED_DAY; day += 1) await expectImport(context, day);
  const untouched = await fingerprint(context);
  await context.db.close();
  let spare: OpenedCopy | null = null;
  const openCopy = async (): Promise<OpenedCopy> => {
    const copy = await copyTestDatabase(base);
    const opened = await openTestContext(copy.url, clock);
    const it = {
      context: opened,
      close: () => opened.db.close().then(() => copy.drop()),
      giveBack: () => {
        spare = it;
      },
    };
    return it;
  };
  const open = async () => {
    const opened = spare ?? (await openCopy());
    spare = null;
    return opened;
  };

  const right = await open();
  await expectImport(right.context, MUTATED_DAY);
  const feeds = await servedFeeds(right.context);
  await expectImport(right.context, MUTATED_DAY + 1);
  const expected = {
    feeds,
    feedsNext: await servedFeeds(right.context),
    events: await servedEvents(right.context),
  };
  await right.close();

  return {
    open,
    fingerprint: untouched,
    importDay,
    expected,
    writeMutated: async (mutation) => {
      const dir = path.join(root, `mutated-${randomBytes(4).toString("hex")}`);
      await mkdir(dir);
      for (const [key, name] of Object.entries(REGISTRY_FILES) as [RegistryFile, string][]) {
        const file = path.join(dayDir(MUTATED_DAY), name);
        if (!mutation.files.includes(key)) {
          await link(file, path.join(dir, name));
          continue;
        }
        const others = {
          firstDay: await readText(path.join(dayDir(0), name)),
          otherRegistry: await readText(path.join(dayDir(MUTATED_DAY, otherDir), name)),
        };
        const text = await readText(file);
        const changed = mutation.change(text, others, key);
        await writeFile(path.join(dir, name), changed, "latin1");
      }
      return dir;
    },
    close: async () => {
      await spare?.close();
      await base.drop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
