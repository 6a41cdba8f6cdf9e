import { fanOut } from "../../../src/webhooks/queue/fan-out.ts";
import type { Bench } from "../frame/bench.ts";
import { copyOf, dropDatabase, queryOnce } from "../frame/databases.ts";
import type { Measure } from "../frame/measure.ts";
import { inRounds, ratioOf, spread } from "../frame/rounds.ts";
import { importedRegistry } from "../setup/imported.ts";
import { timedImport } from "../setup/imports.ts";
import { onDatabase } from "../setup/open-database.ts";
import { registryOf } from "../setup/registry.ts";
import { watchedRegistry } from "../setup/watched.ts";

/**
 * What a million watched carriers add to an import. The import itself does not look at lists, and the same import twice
 * differs by more than they may add. So their share is what is done behind it: the queueing of its changes.
 */
export const watchedImport: Measure = {
  name: "import-watched",
  what: "how long the next day's import takes until its changes are queued, while 1,000 accounts watch 1,000 carriers each and ask for their changes",
  against: "the same import until changes that nobody asks for are passed by",
  target: { atMost: 1.05 },
  unit: "×",
  run: async (bench) => {
    const { databaseUrl: unwatched } = await importedRegistry(bench);
    const watched = await watchedRegistry(bench);
    const rounds = await inRounds(bench, "watched imports", async (round) => {
      const without = () => secondDay(bench, unwatched);
      const withWatched = () => secondDay(bench, watched);
      // Each is the first of every second round: what runs first has a colder disk.
      if (round % 2 === 1) return { limit: await without(), subject: await withWatched() };
      const subject = await withWatched();
      return { subject, limit: await without() };
    });
    const pairs = rounds.map(({ subject, limit }) => ({
      subject: subject.importSeconds + subject.queueSeconds,
      limit: subject.importSeconds + limit.queueSeconds,
    }));
    const alone = rounds.map(({ subject, limit }) => subject.importSeconds / limit.importSeconds);
    return ratioOf(pairs, "s", {
      ...bench.sizes.watching,
      watched: rounds[0]?.subject.watched,
      changes: rounds[0]?.subject.changes,
      queued: rounds[0]?.subject.queued,
      importsAlone: spread(alone, "×"),
      queueing: spread(
        rounds.map(({ subject }) => subject.queueSeconds),
        "s",
      ),
    });
  },
};

/** The import of the second day into a copy of the database, then the queueing of what it changed, as a dispatcher does it. */
async function secondDay(bench: Bench, source: string) {
  const { second } = await registryOf(bench, bench.sizes.carriers);
  const databaseUrl = await copyOf(bench, source);
  const { seconds: importSeconds } = await timedImport(bench, databaseUrl, second);
  const { queued, queueSeconds } = await onDatabase(bench, databaseUrl, async (context) => {
    const startedAt = performance.now();
    const deliveries = await fanOut(context);
    return { queued: deliveries, queueSeconds: (performance.now() - startedAt) / 1_000 };
  });
  const [counts] = await queryOnce<{ changes: number; watched: number }>(
    databaseUrl,
    "SELECT (SELECT count(*)::int FROM carrier_change) AS changes, (SELECT count(*)::int FROM watchlist_carrier) AS watched",
  );
  await dropDatabase(bench, databaseUrl);
  return { importSeconds, queueSeconds, queued, ...counts };
}
