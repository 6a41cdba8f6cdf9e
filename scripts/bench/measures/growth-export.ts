import { growthOf } from "../growth.ts";
import { downloadOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { inRounds } from "../rounds.ts";
import { exportPath, servedFeeds, sharedService } from "../served.ts";
import { median } from "../statistics.ts";

const DOWNLOADS = 3;

export const growthExport: Measure = {
  name: "growth-export",
  what: "how long a download takes for each record, with 200,000 and 400,000 records",
  against: "the same with 100,000",
  target: { atMost: 1.15 },
  unit: "×",
  run: async (bench) => {
    const { growth, customer } = await servedFeeds(bench);
    const { url } = await sharedService(bench);
    for (const version of growth) await downloadOf(bench, url + exportPath(version), customer.headers);
    const rounds = await inRounds(bench, "growth-export", async () => {
      const medians: number[] = [];
      for (const version of growth) {
        const found: number[] = [];
        for (let turn = 0; turn < DOWNLOADS; turn++) {
          found.push((await downloadOf(bench, url + exportPath(version), customer.headers)).ms);
        }
        medians.push(median(found));
      }
      return medians;
    });
    return growthOf(
      growth.map(({ rows }) => rows),
      rounds,
      "ms",
      (ms, rows) => ms / rows,
    );
  },
};
