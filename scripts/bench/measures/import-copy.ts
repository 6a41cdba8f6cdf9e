import { importRounds } from "../imports.ts";
import type { Measure } from "../measure.ts";
import { copyLimit } from "../psql.ts";
import { ratioOf } from "../rounds.ts";

export const importCopy: Measure = {
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
