import { importRounds } from "../imports.ts";
import type { Measure } from "../measure.ts";
import { ratioOf } from "../rounds.ts";

export const importSecondDay: Measure = {
  name: "import-second-day",
  what: "how long the import of the next day's files takes, when 1 % of the companies have changed",
  against: "the first import",
  target: { atMost: 0.6 },
  unit: "×",
  run: async (bench) => {
    const rounds = await importRounds(bench);
    const pairs = rounds.map(({ first, second }) => ({ subject: second.seconds, limit: first.seconds }));
    return ratioOf(pairs, "s", { changes: rounds[0]?.second.report.changes });
  },
};
