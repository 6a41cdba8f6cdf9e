import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** The first half of a file with the second half of an earlier one, cut between two dockets that both have. */
export function halfOf(now: string, old: string): string {
  const lines = now.trimEnd().split("\n");
  const others = old.trimEnd().split("\n");
  let cut = Math.round(lines.length / 2);
  while (!others.includes(lines[cut - 1] ?? "")) cut += 1;
  return `${[...lines.slice(0, cut), ...others.slice(others.lastIndexOf(lines[cut - 1] ?? "") + 1)].join("\n")}\n`;
}

/** Motus Carrier in which the companies moved since day 0: an eighth of them on each of `moves` days. */
export const withMoves = (text: string, moves: number): string =>
  text
    .split("\n")
    .map((line) => {
      const digits = /\d+/.exec(line)?.[0] ?? "";
      const group = [...digits].reduce((sum, digit) => sum + Number(digit), 0) % 8;
      return group > 0 && group <= moves ? line.replace(/,US,\d{5}(-?\d{4})?,/, ",US,10001,") : line;
    })
    .join("\n");

/** Writes a manifest into the folder that names one of its files, with this said wrongly. */
export async function putManifest(dir: string, name: string, change: Record<string, unknown>): Promise<void> {
  const file = path.join(dir, name);
  const entry = {
    file: name,
    url: `https://portal.example/${path.parse(name).name}`,
    sizeBytes: (await stat(file)).size,
    sha256: createHash("sha256")
      .update(await readFile(file))
      .digest("hex"),
    changedAt: null,
    fetchedAt: "2026-11-20T10:00:00.000Z",
  };
  await writeFile(path.join(dir, "manifest.json"), JSON.stringify({ files: [{ ...entry, ...change }] }));
}
