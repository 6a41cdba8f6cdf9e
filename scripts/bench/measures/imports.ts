import type { Measure } from "../frame/measure.ts";
import { ratioOf, spread } from "../frame/rounds.ts";
import { copyLimit } from "../programs/psql.ts";
import { importRounds } from "../setup/imports.ts";

const importCopy: Measure = {
  name: "import-copy",
  what: "how many rows a second an import reads, checks, normalises and copies into the database",
  against: "psql, which copies the same files into unlogged tables of text",
  target: { atLeast: 0.8 },
  unit: "×",
  run: async (bench) => {
    const rounds = await importRounds(bench);
    const rows = rounds[0]?.first.report.files.reduce((sum, file) => sum + file.rowsRead, 0) ?? 0;
    const pairs = rounds.map(({ first, copySeconds }) => ({
      subject: rows / first.copySeconds,
      limit: rows / copySeconds,
    }));
    return ratioOf(pairs, "rows/s", { rows, limitBy: copyLimit(bench) });
  },
};

const importApplied: Measure = {
  name: "import-applied",
  what: "how long an import takes until all rows are copied, compared with the database and applied; the feeds are not built yet",
  against: "psql, which copies the same files into unlogged tables of text",
  target: { atMost: 3 },
  unit: "×",
  run: async (bench) => {
    const pairs = (await importRounds(bench)).map(({ first, copySeconds }) => ({
      subject: first.appliedSeconds,
      limit: copySeconds,
    }));
    return ratioOf(pairs, "s", { limitBy: copyLimit(bench) });
  },
};

const importWhole: Measure = {
  name: "import-whole",
  what: "how long a first import takes, from the start of the command until every feed is published",
  against: "psql, which copies the same files into unlogged tables of text",
  target: { atMost: 7 },
  unit: "×",
  run: async (bench) => {
    const rounds = await importRounds(bench);
    const pairs = rounds.map(({ first, copySeconds }) => ({ subject: first.seconds, limit: copySeconds }));
    const feeds = rounds[0]?.first.report.feeds.map(({ feed, rowsAfter }) => [feed, rowsAfter]) ?? [];
    return ratioOf(pairs, "s", { limitBy: copyLimit(bench), feeds: Object.fromEntries(feeds) });
  },
};

const importSecondDay: Measure = {
  name: "import-second-day",
  what: "how long the import of the next day's files takes, when 1% of the companies have changed",
  against: "the first import",
  target: { atMost: 0.6 },
  unit: "×",
  run: async (bench) => {
    const rounds = await importRounds(bench);
    const pairs = rounds.map(({ first, second }) => ({ subject: second.seconds, limit: first.seconds }));
    return ratioOf(pairs, "s", { changes: rounds[0]?.second.report.changes });
  },
};

/** The highest peak of any import: an importer that is killed for its memory has failed. */
const importMemory: Measure = {
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

export const IMPORTS: readonly Measure[] = [
  importCopy,
  importApplied,
  importWhole,
  importSecondDay,
  importMemory,
];
