import { markdownTable } from "../../src/pages/guides/markdown-table.ts";
import type { BenchReport, Machine } from "../bench/frame/report.ts";
import { sizesOf } from "../bench/frame/sizes.ts";
import type { CapacityReport } from "../studies/capacity/work.ts";
import { memoryAndDisk } from "./capacity-disk.ts";
import {
  FAST_GBIT,
  MACHINE_CORES,
  NETWORK,
  NETWORK_GBIT,
  PRIMARY_CORES,
  type Sums,
  sumsOf,
} from "./capacity-sums.ts";
import { CONNECTIONS, walls } from "./capacity-walls.ts";
import { floored, shown } from "./wording.ts";

/** The text of docs/capacity.md for runs of `npm run study -- capacity`, and a run at the registry's full size. */
export function capacityDoc(report: CapacityReport, full: Pick<BenchReport, "files" | "measures">): string {
  const sums = sumsOf(report, full);
  return [
    opening(report),
    costs(report.machine, sums),
    oneMachine(sums),
    manyMachines(sums),
    walls(sums),
    memoryAndDisk(full),
    installations(sums),
    REPEAT,
  ].join("\n\n");
}

function opening({ machine, size }: CapacityReport): string {
  const { deep } = sizesOf({ seed: 1, ...(size.isSmoke && { smoke: true }) }).feedRows;
  return `# How many machines do I need, and what limits them?

This page is written by \`npm run generate:figures\` from docs/performance/capacity.json, so its figures come from one run of

\`\`\`sh
npm run study -- capacity --json docs/performance/capacity.json
\`\`\`

on ${machine.cores} cores (${machine.processor}) with PostgreSQL ${machine.database.version} on the same machine, ${shown(size.carriers)} companies and a feed of ${shown(deep)} records;
medians of rounds: ${size.rounds}. The number of the registry's rows and the memory below are of full.json.

**Measured** is what one process or one PostgreSQL did on those cores. **Computed** is every figure of more cores, more machines or a
network: a measured cost, multiplied. Nothing was measured on more than ${machine.cores} cores, so waiting for locks there is not in the sums.
Other processors give other figures. Run it on a machine of yours to get this page for it.`;
}

const costs = (machine: Machine, { alone, ofOneAccount }: Sums): string => `## What does a piece of work cost?

[The table of costs](performance/figures.md#what-each-request-row-and-delivery-costs) has the processor time of each kind of work, in
µs (millionths of a second), in the process of \`serve\`, \`dispatch\` or \`import\` and in PostgreSQL. A processor core has 1,000,000 µs
each second. PostgreSQL's time includes its writing to disk in the background.

Requests that reach one process in the same moment share statements. So one request at a time costs PostgreSQL
${shown(alone.postgres / ofOneAccount.postgres, 2)} times as much as one of 32 of the same account. \`page-accounts\`, with a connection for each account, is the one to plan with:
nothing of a charge is shared.${loadNote(machine)}`;

/** Figures of a busy machine are too high; the page must say so. */
const loadNote = ({ loadAverage, cores }: Machine): string =>
  loadAverage > cores
    ? `

**Other work ran on the machine during this run**, with a load of ${shown(loadAverage, 2)} on ${cores} cores at its start. So these figures are too
high, and the sums below are cautious. The ratios between tiers hold better.`
    : "";

function oneMachine(sums: Sums): string {
  const { machinePages, lookups, exported, sent, wall, recorded, delivery, fanOut, imported } = sums;
  const [serve, primary] = [`${MACHINE_CORES} × \`serve\``, `PostgreSQL, ${PRIMARY_CORES} cores`];
  const recordedSum = `${recorded.sum}: ${shown(delivery.postgres)} for the delivery, ${shown(fanOut.postgres)} for its place in the queue`;
  const rows = [
    [serve, `${floored(machinePages.rate)} pages a second`, machinePages.sum],
    [serve, `${floored(lookups.rate)} carriers looked up a second`, lookups.sum],
    [serve, `${floored(exported.rate)} exported rows a second`, exported.sum],
    [`${MACHINE_CORES} × \`dispatch\``, `${floored(sent.rate)} deliveries a second`, sent.sum],
    [primary, `${floored(wall.rate)} pages a second`, wall.sum],
    [primary, `${floored(recorded.rate)} deliveries a second`, recordedSum],
    [
      "`import`",
      `${floored(imported.rate)} rows of files a second`,
      `${imported.sum}; PostgreSQL works beside it`,
    ],
  ];
  return `## What does one machine do?

A machine here has ${MACHINE_CORES} cores and a network of ${NETWORK_GBIT} Gbit/s (${shown(NETWORK, 4)} MB a second). \`serve\` and \`dispatch\` use one core each, so run ${MACHINE_CORES}
such processes on it. The sums fill all cores, and are rounded down. Plan with 60% of them.

${markdownTable(["A machine with", "does at most", "The sum"], rows, [1])}`;
}

function manyMachines(sums: Sums): string {
  const { machinePages, primaryPages, ofOneAccount, hot, fastNetworkPages, pageBytes, wall } = sums;
  const head = ["Machines", "What they could serve", "What limits them", "What to do"];
  const rows = [10, 100, 1_000].map((count) => machinesRow(count, sums));
  const isNetwork = wall.carried < primaryPages.rate;
  return `## What do 10, 100 and 1,000 machines do?

They share one primary of PostgreSQL with ${PRIMARY_CORES} cores and ${NETWORK_GBIT} Gbit/s. Each of them runs ${MACHINE_CORES} \`serve\`.

${markdownTable(head, rows, [0, 1])}

**The first wall is the ${isNetwork ? "network" : "processor"} of the primary.** Rows come from files on the machine that serves them. So a page costs PostgreSQL its
admission alone: the key, the minute's limit and the charge. For a page of 100 records it sends ${shown(pageBytes)} bytes, for a lookup
${shown(sums.lookupBytes)} (measured). Its processor makes ${floored(primaryPages.rate)} pages a second, and its network carries ${floored(wall.carried)} with ${NETWORK_GBIT} Gbit/s and ${floored(fastNetworkPages)} with
${FAST_GBIT} (computed). So one primary feeds ${shown(wall.rate / machinePages.rate, 2)} machines of ${MACHINE_CORES} cores.

Of one account's pages, one that nobody asked before costs PostgreSQL ${shown(ofOneAccount.postgres)} µs, and one that the process still has in memory
(\`page-hot\`) ${shown(hot.postgres)} µs. Standbys (\`DATABASE_READ_URL\`) do not move this wall: they give [the rows from which the files are
made](operating/running.md#can-a-standby-take-reads), once for each version and machine.`;
}

function machinesRow(count: number, { machinePages, wall: { rate: most } }: Sums): string[] {
  const pages = count * machinePages.rate;
  const isFed = pages <= most;
  const wall = isFed ? "themselves" : `the primary: ${floored(most)} pages a second`;
  const several = isFed ? "" : `, then about ${shown(Math.ceil(pages / most))} installations`;
  return [
    shown(count),
    `${floored(pages)} pages a second`,
    `${wall}. ${shown(count * MACHINE_CORES * CONNECTIONS)} connections`,
    `a pooler${several}`,
  ];
}

const installations = ({ first }: Sums): string => `## What are several installations?

Nothing in one account's requests, charges and deliveries needs another account's. So a second installation with its own PostgreSQL
serves half of the accounts: each imports the same files, and the proxy sends an account's requests to its installation, by host
name.
An import costs each of them ${shown(first.own + first.postgres)} µs of processor time a row, a few minutes a day. Removals must reach every installation:
\`removal export\` and \`removal import\` carry the list. No command moves an account to another installation.`;

const REPEAT = `## How do I measure again after a change?

\`npm run study -- capacity\` prints all figures; \`npm run study -- capacity delivery fan-out idle-dispatch\` only those of the
dispatcher. It needs Linux, PostgreSQL on the same machine, and nothing else running. The load of the machine at the start is in the
JSON.
`;
