// `npm run study` measures what no target judges: the cost of each kind of work, and the same work by other programs.
import { Command } from "commander";
import { namedOf, type RunFlags, runCommand, runCommandLine, writeReport } from "./bench/frame/command.ts";
import { runLines } from "./bench/frame/report.ts";
import { inRun } from "./bench/frame/run.ts";
import { sizesOf } from "./bench/frame/sizes.ts";
import { capacityLines, measureCapacity, WORKS } from "./studies/capacity/capacity.ts";
import type { CapacityReport } from "./studies/capacity/work.ts";
import {
  type ConnectionsReport,
  connectionLines,
  measureConnections,
} from "./studies/connections/connections.ts";
import type { PeersReport } from "./studies/peers/peer.ts";
import { measurePeers, peerLines } from "./studies/peers/peers.ts";

const capacity = runCommand("capacity", "Measure the processor time of each kind of work")
  .argument("[work...]", `only this work: ${WORKS.map(({ name }) => name).join(", ")}`)
  .action(async (names: string[], flags: RunFlags) => {
    const report = await inRun(sizesOf(flags), async (bench, runSoFar): Promise<CapacityReport> => {
      const costs = await measureCapacity(bench, namedOf(WORKS, names));
      return { ...runSoFar(), capacity: costs };
    });
    print([...runLines(report), ...capacityLines(report.capacity)]);
    await writeReport(flags, report);
    if (report.capacity.some(({ measured }) => measured === null)) process.exitCode = 1;
  });

const peers = runCommand("peers", "Serve a feed by this service, Directus and Express with Prisma")
  .addHelpText(
    "after",
    "\nInstalls those programs by npm under DATA_DIR/bench/peers, about 1 GB, and keeps them there.",
  )
  .action(async (flags: RunFlags) => {
    const report = await inRun(sizesOf(flags), async (bench, runSoFar): Promise<PeersReport> => {
      const comparisons = await measurePeers(bench);
      return { ...runSoFar(), peers: comparisons };
    });
    print([...runLines(report), ...peerLines(report.peers)]);
    await writeReport(flags, report);
    if (report.peers.some(({ results }) => results.some(({ result }) => result === null)))
      process.exitCode = 1;
  });

const connections = runCommand(
  "connections",
  "Ask for the connections of a made-up registry of which the truth is known: how many are true, and found",
).action(async (flags: RunFlags) => {
  const report = await inRun(sizesOf(flags), async (bench, runSoFar): Promise<ConnectionsReport> => {
    const found = await measureConnections(bench);
    return { ...runSoFar(), connections: found };
  });
  print([...runLines(report), ...connectionLines(report.connections)]);
  await writeReport(flags, report);
});

const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.join("\n")}\n`);
};

await runCommandLine(
  new Command("study")
    .description("Measure what no target judges: what work costs, and what other programs do")
    .addCommand(capacity)
    .addCommand(peers)
    .addCommand(connections),
);
