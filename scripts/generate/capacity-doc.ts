import type { Cost, PerformanceReport } from "../../src/pages/performance/performance-report.ts";
import { POOL_SIZES } from "../../src/platform/database/db.ts";
import { sizesOf } from "../bench/sizes.ts";

/** A core's processor time in a second, in µs. */
const CORE = 1_000_000;
/** The machines that the sums are about. */
const MACHINE_CORES = 4;
const PRIMARY_CORES = 16;
const NETWORK_GBIT = 10;
/** In MB a second. */
const NETWORK = (NETWORK_GBIT * 1_000) / 8;
/** What one process opens at most. */
const CONNECTIONS = POOL_SIZES.requests + POOL_SIZES.bulk;

/** The works of the first table, in its order. */
const WORKS: Readonly<Record<string, string>> = {
  "page-accounts": "a page of 100 records, every request of another account",
  page: "the same, all requests of one account",
  "page-alone": "the same, one request at a time",
  "page-hot": "a page that the process still has in memory",
  "page-filtered": "a page of eight states",
  "filter-new": "a page of a filter that nobody used before",
  lookup: "a carrier by its USDOT number",
  events: "a page of 100 events",
  export: "a row of a whole CSV",
  "export-filtered": "a row of a CSV of eight states",
  "charge-one-account": "a charge of one account's month, 16 connections at once",
  "fan-out": "a delivery queued",
  delivery: "a delivery sent and recorded",
  "import-first": "a row of the files, first import",
  "import-second-day": "a row of the files, next day",
  "idle-serve": "an API process without requests",
  "idle-dispatch": "a dispatcher without work",
};

/** The text of docs/capacity.md for one run of `npm run bench -- --capacity`, and a run at the registry's full size. */
export function capacityDoc(report: PerformanceReport, { files }: Pick<PerformanceReport, "files">): string {
  const costs = new Map((report.capacity ?? []).map((cost) => [cost.name, figuresOf(cost)]));
  const of = (name: string): Figures => {
    const figures = costs.get(name);
    if (!figures) throw new Error(`the run did not measure ${name}: measure again with --capacity alone`);
    return figures;
  };
  const { machine, size } = report;
  const [page, hot, lookup, whole] = [of("page-accounts"), of("page-hot"), of("lookup"), of("export")];
  const [delivery, fanOut, charge] = [of("delivery"), of("fan-out"), of("charge-one-account")];
  const [first, idle] = [of("import-first"), of("idle-serve")];

  // Both are of one account, so they differ by the rows alone; a page of another account has a charge of its own too.
  const rowsOfPage = of("page").postgres - hot.postgres;
  const restOfPage = page.postgres - rowsOfPage;
  const machinePages = rateOf(MACHINE_CORES, page.own);
  const primaryPages = rateOf(PRIMARY_CORES, page.postgres);
  const withStandbys = rateOf(PRIMARY_CORES, restOfPage);
  const standbyPages = rateOf(PRIMARY_CORES, rowsOfPage);
  const lookups = rateOf(MACHINE_CORES, lookup.own);
  const byProcessor = rateOf(MACHINE_CORES, whole.own);
  const byNetwork = (NETWORK * 1_000_000) / whole.sent;
  const sent = rateOf(MACHINE_CORES, delivery.own);
  const recorded = rateOf(PRIMARY_CORES, delivery.postgres + fanOut.postgres);
  const queued = rateOf(1, fanOut.postgres);
  const imported = rateOf(1, first.own);
  const registryRows = files.reduce((sum, { rows }) => sum + rows, 0);
  const importSeconds = (registryRows * (first.own + first.postgres)) / CORE;

  const machines = [10, 100, 1_000].map((count) => {
    const pages = count * machinePages.rate;
    const wall =
      pages > primaryPages.rate ? `the primary: ${floored(primaryPages.rate)} pages a second` : "themselves";
    const connections = count * MACHINE_CORES * CONNECTIONS;
    const installations = Math.ceil(pages / primaryPages.rate);
    const todo =
      count >= 1_000
        ? `about ${shown(installations)} installations`
        : count >= 100
          ? "a pooler, standbys for reading, then several installations"
          : "a pooler";
    return `| ${shown(count)} | ${floored(pages)} pages a second | ${wall}. ${shown(connections)} connections | ${todo} |`;
  });

  return `# How many machines do I need, and what limits them?

This page is written by \`npm run generate:capacity\` from docs/performance/capacity.json, so its figures come from one run of

\`\`\`sh
npm run bench -- --capacity --json docs/performance/capacity.json
\`\`\`

on ${machine.cores} cores (${machine.processor}) with PostgreSQL ${machine.database.version} on the same machine, ${shown(size.carriers)} companies and a feed of ${shown(sizesOf({ seed: 1, isSmoke: size.isSmoke }).feedRows.deep)} records;
medians of rounds: ${size.rounds}. Only the number of the registry's rows is of full.json.
Other processors give other figures. Run both commands on a machine of yours to get this page for it. The page
\`/docs/performance\` of a running service shows the same run.

## What does a piece of work cost?

Processor time, in µs (millionths of a second). A processor core has 1,000,000 µs each second.

| Work | Unit | Its process | PostgreSQL | Log of PostgreSQL | Answer |
|---|---|---:|---:|---:|---:|
${Object.entries(WORKS)
  .map(([name, what]) => workRow(name, what, of(name)))
  .join("\n")}

"Its process" is the process of \`serve\`, \`dispatch\` or \`import\`. PostgreSQL's time includes its writing to disk in the background.
Requests that reach one process in the same moment share statements. So one request at a time costs PostgreSQL
${shown(of("page-alone").postgres / of("page").postgres, 2)} times as much as one of 32 of the same account. The first row, "every request of another account", is the one to
plan with: nothing of a charge is shared.
${loadNote(machine)}
## What does one machine do?

A machine here has ${MACHINE_CORES} cores and a network of ${NETWORK_GBIT} Gbit/s (${shown(NETWORK, 4)} MB a second). \`serve\` and \`dispatch\` use one core each, so run ${MACHINE_CORES}
such processes on it. The sums fill all cores, and are rounded down. Plan with 60 % of them.

| A machine with | does at most | The sum |
|---|---:|---|
| ${MACHINE_CORES} × \`serve\` | ${floored(machinePages.rate)} pages a second | ${machinePages.sum} |
| ${MACHINE_CORES} × \`serve\` | ${floored(lookups.rate)} carriers looked up a second | ${lookups.sum} |
| ${MACHINE_CORES} × \`serve\` | ${floored(Math.min(byProcessor.rate, byNetwork))} exported rows a second | the lesser of ${byProcessor.sum} = ${floored(byProcessor.rate)} and ${shown(NETWORK, 4)} MB ÷ ${shown(whole.sent)} bytes = ${floored(byNetwork)} |
| ${MACHINE_CORES} × \`dispatch\` | ${floored(sent.rate)} deliveries a second | ${sent.sum} |
| PostgreSQL, ${PRIMARY_CORES} cores | ${floored(primaryPages.rate)} pages a second | ${primaryPages.sum} |
| PostgreSQL, ${PRIMARY_CORES} cores | ${floored(recorded.rate)} deliveries a second | ${recorded.sum}: ${shown(delivery.postgres)} for the delivery, ${shown(fanOut.postgres)} for its place in the queue |
| \`import\` | ${floored(imported.rate)} rows of files a second | ${imported.sum}; PostgreSQL works beside it |

## What do 10, 100 and 1,000 machines do?

They share one primary of PostgreSQL with ${PRIMARY_CORES} cores. Each of them runs ${MACHINE_CORES} \`serve\`.

| Machines | What they could serve | What limits them | What to do |
|---:|---:|---|---|
${machines.join("\n")}

**The first wall is the processor of the primary.** One primary of ${PRIMARY_CORES} cores feeds ${shown(primaryPages.rate / machinePages.rate, 2)} machines of ${MACHINE_CORES} cores:
${floored(primaryPages.rate)} ÷ ${floored(machinePages.rate)}.

Reading rows is most of that. Of one account's pages, one costs PostgreSQL ${shown(of("page").postgres)} µs, and one that the process still has in
memory (\`page-hot\`) ${shown(hot.postgres)} µs, so the rows cost about ${shown(rowsOfPage)} µs. With \`DATABASE_READ_URL\` standbys do this part, and the
primary has ${shown(restOfPage)} µs of the ${shown(page.postgres)} left:
${withStandbys.sum} = ${floored(withStandbys.rate)} pages a second, or ${shown(Math.floor(withStandbys.rate / machinePages.rate))} machines. Each standby of ${PRIMARY_CORES} cores adds
${standbyPages.sum} = ${floored(standbyPages.rate)} pages a second.

## Where are the walls, and what moves them?

| Wall | Where it is | What shows it | What moves it |
|---|---|---|---|
| The primary's processor: keys, minutes and charges of every request | ${floored(primaryPages.rate)} pages a second with ${PRIMARY_CORES} cores | its processor is busy; \`tdf_request_seconds\` grows in all processes | a larger primary; \`DATABASE_READ_URL\`, which moves the rows of pages and exports to standbys; pages of 1,000 records instead of 100; then several installations |
| Connections | a process opens up to ${CONNECTIONS}: 10 machines × ${MACHINE_CORES} × ${CONNECTIONS} = ${shown(10 * MACHINE_CORES * CONNECTIONS)} | PostgreSQL refuses connections (\`max_connections\`) | [a pooler](operating/running.md#can-a-pooler-stand-before-postgresql) in transaction mode; from 10 machines on |
| One account's charges | ${floored(rateOf(1, charge.postgres).rate)} statements a second by its processor time: they wait for each other's lock on one row | one account's requests take longer, others' do not | fewer processes for that account: requests that reach one process together share the statement |
| Idle processes | an idle API process costs PostgreSQL ${shown(idle.postgres)} µs a second: 4,000 of them ${shown((4_000 * idle.postgres) / CORE, 2)} cores | | fewer, busier processes |
| Fan-out: one process at a time queues deliveries | ${floored(queued.rate)} deliveries a second: ${queued.sum} | \`tdf_webhook_fan_out_seconds\`; deliveries are late although dispatchers are idle | fewer event types and states for each endpoint; several installations. ${shown(queued.rate / rateOf(1, delivery.own).rate, 2)} processes of \`dispatch\` send as much as it queues |
| The network, for exports | ${floored(byNetwork)} rows a second for each ${NETWORK_GBIT} Gbit/s | the card's counters | more machines, or compression in the proxy: exports read a file on the machine and cost PostgreSQL ${shown(whole.postgres)} µs a row |
| PostgreSQL's log to standbys | ${shown((primaryPages.rate * page.wal) / 1_000_000, 2)} MB a second at the ${floored(primaryPages.rate)} pages a second of the first wall | lag of the standbys | none is needed: the network carries ${shown(NETWORK, 4)} MB a second |
| The import | ${shown(importSeconds, 2)} s of processor time for the ${shown(registryRows / 1_000_000, 2)} million rows of the full registry: ${shown(first.own)} + ${shown(first.postgres)} µs a row, in one process | it does not depend on customers or machines | faster cores |

## What are several installations?

Nothing in one account's requests, charges and deliveries needs another account's. So a second installation with its own PostgreSQL
serves half of the accounts: each imports the same files, and the proxy sends an account's requests to its installation, by host
name.
An import costs each of them ${shown(first.own + first.postgres)} µs of processor time a row, a few minutes a day. Removals must reach every installation:
\`removal export\` and \`removal import\` carry the list. No command moves an account to another installation.

## How do I measure again after a change?

\`npm run bench -- --capacity\` prints all figures; \`--capacity delivery fan-out idle-dispatch\` only those of the dispatcher. It needs
Linux, PostgreSQL on the same machine, and nothing else running. The load of the machine at the start is in the JSON.
`;
}

/** How much so many cores do in a second of what costs each time so many µs, and the sum that says so. */
function rateOf(cores: number, cost: number): { rate: number; sum: string } {
  const second = shown(CORE);
  return {
    rate: (cores * CORE) / cost,
    sum: `${cores === 1 ? second : `${cores} × ${second}`} ÷ ${shown(cost)}`,
  };
}

interface Figures {
  unit: string;
  /** Processor time of the work's own process and of PostgreSQL, in µs. */
  own: number;
  postgres: number;
  /** Bytes of PostgreSQL's log, and of the answer; 0 where nothing is answered. */
  wal: number;
  sent: number;
}

function figuresOf({ name, unit, measured }: Cost): Figures {
  if (!measured?.postgres)
    throw new Error(`${name} has no figures for PostgreSQL: it must run on this machine`);
  return {
    unit,
    own: measured.program.median,
    postgres: measured.postgres.median,
    wal: measured.wal.median,
    sent: measured.sent?.median ?? 0,
  };
}

const workRow = (name: string, what: string, { unit, own, postgres, wal, sent }: Figures): string =>
  `| ${what} (\`${name}\`) | ${unit} | ${shown(own)} µs | ${shown(postgres)} µs | ${shown(wal)} bytes | ${sent ? `${shown(sent)} bytes` : "–"} |`;

/** Figures of a busy machine are too high; the page must say so. */
const loadNote = ({ loadAverage, cores }: PerformanceReport["machine"]): string =>
  loadAverage > cores
    ? `
**Other work ran on the machine during this run**, with a load of ${shown(loadAverage, 2)} on ${cores} cores at its start. So these figures are too
high, and the sums below are cautious. The ratios between tiers hold better.
`
    : "";

const shown = (value: number, digits = 3): string =>
  value.toLocaleString("en-US", { maximumSignificantDigits: digits });

/** A rate, rounded down to two digits; millions in words. */
function floored(value: number): string {
  const step = 10 ** Math.max(Math.floor(Math.log10(value)) - 1, 0);
  const down = Math.floor(value / step) * step;
  return down >= 1_000_000 ? `${shown(down / 1_000_000, 2)} million` : shown(down);
}
