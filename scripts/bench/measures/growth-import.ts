import { dropDatabase, newDatabase } from "../databases.ts";
import { growthOf } from "../growth.ts";
import { timedImport } from "../imports.ts";
import type { Measure } from "../measure.ts";
import { registryOf } from "../registry.ts";
import { inRounds } from "../rounds.ts";
import { growthCarriers } from "../sizes.ts";

export const growthImport: Measure = {
  name: "growth-import",
  what: "import of 2 N and 4 N carriers: time for each carrier",
  against: "the same with N carriers",
  target: { atMost: 1.15 },
  unit: "×",
  run: async (bench) => {
    const sizes = growthCarriers(bench.sizes);
    const rounds = await inRounds(bench, "growth-import", async () => {
      const seconds: number[] = [];
      for (const carriers of sizes) {
        const { first } = await registryOf(bench, carriers);
        const databaseUrl = await newDatabase(bench);
        seconds.push((await timedImport(bench, databaseUrl, first)).seconds);
        await dropDatabase(bench, databaseUrl);
      }
      return seconds;
    });
    return growthOf(sizes, rounds, "s", (seconds, carriers) => seconds / carriers);
  },
};
