import { importRounds } from "../imports.ts";
import type { Measure } from "../measure.ts";
import { copyLimit } from "../psql.ts";
import { ratioOf } from "../rounds.ts";

export const importWhole: Measure = {
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
