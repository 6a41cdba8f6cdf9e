import { dropDatabase, newDatabase } from "../databases.ts";
import { growthOf } from "../growth.ts";
import { timedImport } from "../imports.ts";
import type { Measure } from "../measure.ts";
import { registryOf } from "../registry.ts";
import { inRounds } from "../rounds.ts";
import { growthCarriers } from "../sizes.ts";

export const growthImport: Measure = {
  name: "growth-import",
  what: "how long an import takes for each carrier, with two and four times as many carriers",
  against: "the same with the smallest number",
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
