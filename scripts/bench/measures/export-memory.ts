import type { Measure } from "../frame/measure.ts";
import { inRounds, spread } from "../frame/rounds.ts";
import { median, rounded } from "../frame/statistics.ts";
import { downloadOf, latenciesOf } from "../programs/load-generator.ts";
import { forgetPeak, knownResidentMb } from "../programs/memory.ts";
import { forgetCaches, startService } from "../programs/program.ts";
import { exportPath, pagePath, servedFeeds } from "../setup/served.ts";

/** Each round starts a service, reads some pages and then exports; the first export also writes the file. */
export const exportMemory: Measure = {
  name: "export-memory",
  what: "how much the API's memory grows in five downloads of 400,000 records, the first of which makes the file",
  against: null,
  target: { atMost: 64 },
  unit: "MB",
  run: async (bench) => {
    const { databaseUrl, whole, deep, customer } = await servedFeeds(bench);
    const grown = await inRounds(bench, "export-memory", async () => {
      await forgetCaches(bench, databaseUrl);
      const service = await startService(bench, databaseUrl);
      const pages = Array.from({ length: 200 }, (_, index) => pagePath(deep, 1 + (index % 50)));
      await latenciesOf(bench, service.url, customer.headers, [pages]);
      await forgetPeak(service.pid);
      const before = await knownResidentMb(service.pid);
      for (let turn = 0; turn < 5; turn++) {
        await downloadOf(bench, service.url + exportPath(whole), customer.headers);
      }
      const after = await knownResidentMb(service.pid);
      await service.stop();
      return { mb: after.peak - before.now, before: before.now };
    });
    return {
      value: rounded(median(grown.map(({ mb }) => mb))),
      details: {
        rows: whole.rows,
        growth: spread(
          grown.map(({ mb }) => mb),
          "MB",
        ),
        before: spread(
          grown.map(({ before }) => before),
          "MB",
        ),
      },
    };
  },
};
