import { importRounds } from "../imports.ts";
import type { Measure } from "../measure.ts";
import { spread } from "../rounds.ts";

/** The highest peak of any import: an importer that is killed for its memory has failed. */
export const importMemory: Measure = {
  name: "import-memory",
  what: "the most memory that an import's process uses, on the first day and on the second",
  against: null,
  target: { atMost: 400 },
  unit: "MB",
  run: async (bench) => {
    const rounds = await importRounds(bench);
    const peaks = rounds.flatMap(({ first, second }) => [first.peakMb, second.peakMb]);
    const known = peaks.filter((peak) => peak !== null);
    if (known.length === 0)
      throw new Error("The memory of a process is read from /proc, which only Linux has.");
    return { value: Math.round(Math.max(...known)), details: { peaks: spread(known, "MB") } };
  },
};
