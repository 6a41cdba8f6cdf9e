import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";

/** Days of a made-up registry on disk, and copies of them that a test changes. */
export interface RegistryFolders {
  /** The folder of a day, from 0. */
  day(number: number): string;
  /** A copy of a day in which `change` edits the text of file `name`; null removes the file. */
  changed(number: number, name: string, change: (text: string) => string | null): Promise<string>;
  close(): Promise<void>;
}

/** Writes the days of a registry whose last one is `lastDay`, YYYY-MM-DD. */
export async function registryFolders(options: {
  carriers: number;
  seed: number;
  firstDay: string;
  days: number;
  historyMovesOn?: number;
}): Promise<RegistryFolders> {
  const root = await mkdtemp(path.join(tmpdir(), "tdf-registry-"));
  const written = await generateRegistry({ outDir: root, ...options });
  let copies = 0;
  const day = (number: number): string => {
    const found = written[number];
    if (!found) throw new Error(`day ${number} was not written`);
    return found.dir;
  };
  return {
    day,
    changed: async (number, name, change) => {
      copies += 1;
      const dir = path.join(root, `changed-${copies}`);
      await cp(day(number), dir, { recursive: true });
      const file = path.join(dir, name);
      const text = change(await readFile(file, "latin1"));
      if (text === null) await rm(file);
      else await writeFile(file, text, "latin1");
      return dir;
    },
    close: () => rm(root, { recursive: true, force: true }),
  };
}
