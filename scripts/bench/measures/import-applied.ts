import { importRounds } from "../imports.ts";
import type { Measure } from "../measure.ts";
import { copyLimit } from "../psql.ts";
import { ratioOf } from "../rounds.ts";

export const importApplied: Measure = {
  name: "import-applied",
  what: "import, until every row is copied, compared and applied",
  against: "psql \\copy of the same files into unlogged tables of text",
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
