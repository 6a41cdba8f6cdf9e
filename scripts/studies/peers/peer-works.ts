import type { Bench } from "../../bench/frame/bench.ts";
import { downloadOf, visitsOf } from "../../bench/programs/load-generator.ts";
import { EIGHT_STATES } from "../../bench/setup/states.ts";
import type { Comparison, Peer } from "./peer.ts";

/** Work that each program does in its turn. */
export interface PeerWork extends Pick<Comparison, "name" | "what" | "unit"> {
  /** The result, in the unit. */
  run(peer: Peer): Promise<number>;
}

const CONNECTIONS = 32;
/** Different pages that a connection asks for in turn. */
const PAGES = 25;

/** Pages of 100 records of a feed. */
export function pageWorks(
  bench: Bench,
  { rows, filteredRows }: { rows: number; filteredRows: number },
): PeerWork[] {
  const [pages, filteredPages] = [Math.floor(rows / 100), Math.floor(filteredRows / 100)];
  const work = (name: string, what: string, pathOf: (peer: Peer, index: number) => string): PeerWork => ({
    name,
    what,
    unit: "answers/s",
    run: (peer) => pagesASecond(bench, peer, (index) => pathOf(peer, index)),
  });
  return [
    work(
      "first-page",
      `the first page of 100 of ${shown(rows)} records, over ${CONNECTIONS} connections`,
      (peer) => peer.page(1),
    ),
    work("deep-page", "the last pages of the same feed, from the last one backwards", (peer, index) =>
      peer.page(pages - (index % Math.ceil(pages / 2))),
    ),
    work(
      "filtered-page",
      `the first pages of the ${shown(filteredRows)} records of eight states`,
      (peer, index) => peer.filteredPage(1 + (index % filteredPages), EIGHT_STATES),
    ),
  ];
}

/** Fails unless the answer has a line for each record and one of headings. */
export const csvWork = (bench: Bench, rows: number): PeerWork => ({
  name: "whole-csv",
  what: "the whole feed as CSV, the first download; this service also makes the file that later ones read",
  unit: "s",
  run: async ({ url, csv, headers }) => {
    const { ms, lines } = await downloadOf(bench, url + csv, headers, true);
    if (lines !== 1 + rows) throw new Error(`${lines} lines of CSV for ${rows} records`);
    return ms / 1000;
  },
});

async function pagesASecond(
  bench: Bench,
  { url, headers }: Peer,
  pathOf: (index: number) => string,
): Promise<number> {
  const { warmMs, runMs } = bench.sizes;
  const visitors = Array.from({ length: CONNECTIONS }, (_, visitor) => ({
    headers,
    paths: Array.from({ length: PAGES }, (_, index) => pathOf(visitor * PAGES + index)),
  }));
  await visitsOf(bench, url, visitors, warmMs);
  return (await visitsOf(bench, url, visitors, runMs)).perSecond;
}

const shown = (value: number): string => value.toLocaleString("en-US");
