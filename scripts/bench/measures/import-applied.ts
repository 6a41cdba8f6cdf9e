import { importRounds } from "../imports.ts";
import type { Measure } from "../measure.ts";
import { copyLimit } from "../psql.ts";
import { ratioOf } from "../rounds.ts";

export const importApplied: Measure = {
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
