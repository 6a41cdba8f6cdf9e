import { table } from "../../../src/cli/terminal/print.ts";
import type { Bench } from "../../bench/frame/bench.ts";
import { inRounds, spread } from "../../bench/frame/rounds.ts";
import { rounded } from "../../bench/frame/statistics.ts";
import { exportPath, pagePath, servedFeeds, sharedService } from "../../bench/setup/served.ts";
import { EIGHT_STATES, rowsInEightStates, STATES_FILTER } from "../../bench/setup/states.ts";
import { startDirectus } from "./directus.ts";
import { startExpressPrisma } from "./express-prisma.ts";
import { installPeers } from "./packages.ts";
import type { Comparison, Peer } from "./peer.ts";
import { csvWork, type PeerWork, pageWorks } from "./peer-works.ts";
import { recordsDatabase } from "./records.ts";
import { requireSamePages } from "./same-pages.ts";

/** The same pages and the same CSV of one feed by this service and by other programs, which take turns. */
export async function measurePeers(bench: Bench): Promise<Comparison[]> {
  const folder = await installPeers(bench);
  const { databaseUrl, whole } = await servedFeeds(bench);
  const filteredRows = await rowsInEightStates(databaseUrl, whole);
  bench.say(`copying ${whole.rows} records for the other programs`);
  const copied = await recordsDatabase(bench, databaseUrl, whole);
  bench.say("starting the other programs");
  const peers = [
    await ourselves(bench),
    await startDirectus(bench, folder, copied),
    await startExpressPrisma(bench, folder, copied),
  ];
  const [pages, filteredPages] = [Math.floor(whole.rows / 100), Math.floor(filteredRows / 100)];
  await requireSamePages(peers, (peer) => [
    peer.page(1),
    peer.page(pages),
    peer.filteredPage(filteredPages, EIGHT_STATES),
  ]);
  const works = pageWorks(bench, { rows: whole.rows, filteredRows });
  const rounds = await inRounds(bench, "peers", () => inTurns(bench, works, peers));
  // Some programs take minutes, so each has one turn.
  const download = csvWork(bench, whole.rows);
  bench.say(`  peers: ${download.name}`);
  const downloads = [await inTurns(bench, [download], peers)];
  return [
    ...works.map((work) => comparisonOf(work, peers, rounds)),
    comparisonOf(download, peers, downloads),
  ];
}

/** The result of each work by each program, under both names. */
type Turns = Map<string, number | Error>;

async function inTurns(bench: Bench, works: readonly PeerWork[], peers: readonly Peer[]): Promise<Turns> {
  const found: Turns = new Map();
  for (const { name, run } of works) {
    for (const peer of peers) {
      const value = await run(peer).catch((error: Error) => error);
      bench.say(`    ${name}, ${peer.name}: ${value instanceof Error ? value.message : rounded(value)}`);
      found.set(`${name} ${peer.name}`, value);
    }
  }
  return found;
}

const comparisonOf = (
  { name, what, unit }: PeerWork,
  peers: readonly Peer[],
  rounds: readonly Turns[],
): Comparison => ({
  name,
  what,
  unit,
  results: peers.map((peer) =>
    resultOf(
      peer.name,
      unit,
      rounds.map((round) => round.get(`${name} ${peer.name}`)),
    ),
  ),
});

/** A program that failed in a round has no result. */
function resultOf(program: string, unit: string, values: (number | Error | undefined)[]) {
  const failure = values.find((value) => value instanceof Error);
  if (failure) return { program, result: null, error: failure.message };
  return { program, result: spread(values as number[], unit) };
}

async function ourselves(bench: Bench): Promise<Peer> {
  const { whole, customer } = await servedFeeds(bench);
  const { url } = await sharedService(bench);
  return {
    name: "this service",
    url,
    headers: customer.headers,
    page: (page) => pagePath(whole, page),
    filteredPage: (page) => pagePath(whole, page, STATES_FILTER),
    csv: exportPath(whole),
  };
}

/** The comparisons as lines for a terminal. */
export const peerLines = (peers: readonly Comparison[]): string[] =>
  table(
    ["work", "unit", ...(peers[0]?.results.map(({ program }) => program) ?? []), "what"],
    peers.map(({ name, unit, results, what }) => [
      name,
      unit,
      ...results.map(({ result }) => result?.median ?? "–"),
      what,
    ]),
  );
