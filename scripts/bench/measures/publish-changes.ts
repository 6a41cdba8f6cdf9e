import { copyOf } from "../databases.ts";
import { importedRegistry } from "../imported.ts";
import type { Measure } from "../measure.ts";
import type { PublishJob } from "../processes/publisher.ts";
import { environmentFor, runCommand } from "../program.ts";
import { registryOf } from "../registry.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { startWorker } from "../worker.ts";

/** Only the statements of the change feed differ: the hashes of the records, the steps, the changed records. */
export const publishChanges: Measure = {
  name: "publish-changes",
  what: "how long publishing all feeds takes with their changes and checkpoints, when 1 % of the companies have changed",
  against: "publishing them without",
  target: { atMost: 1.2 },
  unit: "×",
  run: async (bench) => {
    const { databaseUrl: source } = await importedRegistry(bench);
    const { second } = await registryOf(bench, bench.sizes.carriers);
    const databaseUrl = await copyOf(bench, source);
    await runCommand(bench, databaseUrl, ["import", "--dir", second, "--json"]);
    const environment = environmentFor(bench, databaseUrl);
    const worker = startWorker<PublishJob>(bench, "publisher.ts");
    const secondsOf = (isWithChanges: boolean) => worker.ask<number>({ environment, isWithChanges });
    const pairs = await inRounds(bench, "publish-changes", async (round) => {
      // The second of a round finds the registry in memory, so they take turns to be it.
      const first = await secondsOf(round % 2 === 0);
      const next = await secondsOf(round % 2 !== 0);
      return round % 2 === 0 ? { subject: first, limit: next } : { subject: next, limit: first };
    });
    worker.stop();
    return ratioOf(pairs, "s");
  },
};
