import { addAgentContact } from "../../../src/registry/contacts/agent-contacts.ts";
import type { Measure } from "../frame/measure.ts";
import { inRounds, spread } from "../frame/rounds.ts";
import { median, rounded } from "../frame/statistics.ts";
import { startLoad } from "../programs/load-generator.ts";
import type { LoadJob, Polled } from "../programs/processes/load.ts";
import { runCommand } from "../programs/program.ts";
import { LARGE_FEED } from "../setup/large-version.ts";
import { onDatabase } from "../setup/open-database.ts";
import { registryOf } from "../setup/registry.ts";
import { exportPath, servedFeeds, sharedService } from "../setup/served.ts";

const READ_EVERY_MS = 4;
/** Time around the publication of the new version, in which readers may stall. */
const BEFORE_MS = 250;
const AFTER_MS = 1_000;

/**
 * A real import publishes every feed again while an export is read slowly and others read pages. Waits while it computes
 * depend on the machine and are in the details. Waits while it publishes are the result.
 */
export const publishStall: Measure = {
  name: "publish-stall",
  what: "the longest any reader waited while an import published all feeds and an export was open for 60 s",
  against: null,
  target: { atMost: 10 },
  unit: "ms",
  run: async (bench) => {
    const { databaseUrl, whole, customer } = await servedFeeds(bench);
    const { difference } = await registryOf(bench, bench.sizes.carriers);
    const { url } = await sharedService(bench);
    const { headers } = customer;
    const [reader, exporter] = [startLoad(bench), startLoad(bench)];
    const open = exporter.ask<unknown>({
      kind: "slowDownload",
      url: url + exportPath(whole),
      headers,
      overMs: bench.sizes.openExportMs,
    });
    const rounds = await inRounds(bench, "publish-stall", async (round) => {
      // One more contact on the list gives every feed a new version, whatever else the files have. The enlarged feed
      // shrinks to the registry's size, which an import rightly calls a jump.
      await onDatabase(bench, databaseUrl, (context) =>
        addAgentContact(context, `202555${1000 + round}`, "bench"),
      );
      const polling = reader.ask<Polled[]>({
        kind: "poll",
        url: `${url}/v1/feeds/us_brokers/records?page_size=10`,
        headers,
        everyMs: READ_EVERY_MS,
      });
      const accepted = ["--accept", `feed-jump:${LARGE_FEED}`];
      await runCommand(bench, databaseUrl, [
        "import",
        "--difference",
        "--dir",
        difference,
        "--json",
        ...accepted,
      ]);
      await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
      await reader.ask({ kind: "endPoll" } satisfies LoadJob);
      return stallsOf(await polling);
    });
    await open;
    const stalls = rounds.map(({ publishing }) => publishing);
    return {
      value: rounded(median(stalls)),
      details: {
        publishing: spread(stalls, "ms"),
        worst: rounded(Math.max(...stalls)),
        whileItComputes: spread(
          rounds.map(({ computing }) => computing),
          "ms",
        ),
        exportOpenMs: bench.sizes.openExportMs,
      },
    };
  },
};

function stallsOf(polled: readonly Polled[]): { publishing: number; computing: number } {
  const next = polled.findIndex(({ version }, index) => index > 0 && version !== polled[index - 1]?.version);
  const seen = polled[next];
  if (!seen) throw new Error("The import published no new version.");
  const isNear = ({ atMs, ms }: Polled) => atMs + ms >= seen.atMs - BEFORE_MS && atMs <= seen.atMs + AFTER_MS;
  const worstOf = (list: readonly Polled[]) => Math.max(0, ...list.map(({ ms }) => ms));
  return {
    publishing: worstOf(polled.filter(isNear)),
    computing: worstOf(polled.filter((each) => !isNear(each))),
  };
}
