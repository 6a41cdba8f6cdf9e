import { markdownTable } from "../../src/pages/guides/markdown-table.ts";
import type { BenchReport, Machine, Measured, Spread } from "../bench/frame/report.ts";
import { REAL_CARRIERS } from "../bench/frame/sizes.ts";
import type { CapacityReport } from "../studies/capacity/work.ts";
import type { PeersReport } from "../studies/peers/peer.ts";
import { capacityPart, peersPart } from "./study-parts.ts";
import { counted, runNote } from "./wording.ts";

/** The last runs that the page shows. */
export interface LastRuns {
  full: BenchReport;
  tenth: BenchReport;
  peers: PeersReport;
  capacity: CapacityReport;
}

/** The text of docs/performance/figures.md, which a running service shows at /docs/performance. */
export const performanceDoc = ({ full, tenth, peers, capacity }: LastRuns): string =>
  [
    "# How fast is the service?",
    headline([full, tenth]),
    INTRODUCTION,
    ...[full, tenth].map(sizePart),
    peersPart(peers),
    capacityPart(capacity),
    REPEAT,
  ].join("\n\n");

const INTRODUCTION = `Each measure compares the service with its limit: the least that the same machine needs for the same work. The limits are
PostgreSQL's own clients, a bare web server that sends the same bytes, and a bare loop of requests. Some measures compare the
service with itself: an export as Parquet with one as CSV. Both take turns in one run. The values are medians of the rounds. So is
a ratio, ×: the median of what each round's two values give, which is not quite the quotient of the two medians beside it. Ratios
hold on other machines, too; seconds do not.`;

const REPEAT = `## How to repeat it

\`\`\`bash
npm ci
npm run bench                             # a tenth of the real registry
npm run bench -- --carriers 4500000       # all of it
npm run bench -- --only hot-page --json result.json
npm run study -- peers                    # beside other programs
npm run study -- capacity                 # processor time of each request, row and delivery
npm run bench -- --help
\`\`\`

The benchmark makes databases of its own and removes them: on a PostgreSQL that it starts, or on the server of \`DATABASE_URL\`.
Run nothing else on the machine meanwhile. psql and pgbench come with Debian's postgresql-client and postgresql-contrib. Without
them the limits are loops on the driver, and this page says so. The file of \`--json\` has every round of each measure.
`;

interface Details {
  rows?: number;
  subject?: Spread;
  limit?: Spread;
}

const perSecond = ({ subject }: Details): string | undefined =>
  subject && `${counted(Math.round(subject.median))} a second`;

/** The same of a measure that says how long an answer takes. */
const answersPerSecond = ({ subject }: Details): string | undefined =>
  subject && `${counted(Math.round(1000 / subject.median))} a second`;

/** What readers ask first: the measure that tells it, what to call it, and how to say its value. */
const QUESTIONS: readonly [
  name: string,
  title: string,
  value: (details: Details, measured: Measured) => string | undefined,
][] = [
  ["cold-page", "Paging through a feed", perSecond],
  ["hot-page", "Pages that were read before", perSecond],
  ["filter-cold", "A new filter", (_, measured) => shownValue(measured)],
  [
    "export-whole",
    "A whole feed",
    ({ rows = 0, subject }) => subject && `${counted(rows)} rows in ${(subject.median / 1000).toFixed(2)} s`,
  ],
  ["lookup", "Carriers looked up", answersPerSecond],
  ["lookup-many", "Many at once", ({ subject }) => subject && `${Math.round(subject.median)} ms`],
  ["search", "Searches by name", answersPerSecond],
  ["dispatch", "Webhooks", perSecond],
];

/** How fast the service is, in a few lines, by the first of these runs that measured it. */
const headline = (runs: readonly BenchReport[]): string =>
  QUESTIONS.flatMap(([name, title, value]) => {
    const measured = runs.flatMap(({ measures }) => measures).find((each) => each.name === name);
    const said = measured && value(measured.details, measured);
    return said ? [`- ${title}: **${said}** (${measured.what})`] : [];
  }).join("\n");

/** The measures, those that readers ask for first. */
const byInterest = (measures: readonly Measured[]): Measured[] => {
  const asked = QUESTIONS.map(([name]) => name);
  const rank = ({ name }: Measured) => (asked.includes(name) ? asked.indexOf(name) : asked.length);
  return measures.toSorted((one, other) => rank(one) - rank(other));
};

/** Why a measure misses its target. */
const REASONS: Readonly<Record<string, string>> = {
  "import-copy":
    "Two threads read, check and normalise the rows, and two connections take them in: more than two processor cores can do. psql " +
    "only passes lines on. Of two tenths within the hour, whose files were read by the same code, the other one had 0.81.",
  "import-applied":
    "The tables are filled and indexed on one connection. One statement finds the state of every authority from temporary tables, " +
    "so PostgreSQL does not share it among processes.",
  "import-second-day":
    "What does not depend on the changes is done again: every file is read and checked, every feed compared.",
  "import-watched":
    "Each delivery is a row with three indexes, and the lists are asked who watches each carrier that changed.",
  "cold-page":
    "One statement admits and charges a page that was asked before; a new page takes two, and its rows are read from a file.",
  "hot-page":
    "A page that the process still has is checked and charged like any other. The bare server differs most: its answers a second " +
    "were 11,600 to 21,900 in five runs on one machine within two hours. Four times alone this measure had 0.59 to 0.66 there.",
  "hot-page-alone": "Requests at the same time share statements; those of one connection cannot.",
  "page-bytes": "Fewer requests at the same time share the statements that admit and charge them.",
  lookup: "Beside the records it reads the newest events and counts the connections: two statements more.",
  "lookup-many": "A thousand rows stand in a thousand places of the file, those of a page in one.",
  search:
    "A misspelled name asks the database two or three times; a page comes from a file. Six rounds of this measure alone " +
    "had 4.84 at a tenth on 2026-11-28.",
  usage: "The days of the month and the use of each key are read from the database for each answer.",
  "events-page":
    "Events that the service has no file of come from the database, each looked up on the removal list.",
  "export-memory": "What the process holds before differs as much: six runs at a tenth had 39 to 76 MB.",
  dispatch:
    "The bare loop signs nothing and stores nothing. It had 17,900 to 32,300 deliveries a second in three rounds of a tenth; three " +
    "rounds of this measure alone, half an hour before, had 0.49.",
  "dispatch-database":
    "A delivery is written once when it is queued and once when it is sent, each with its indexes.",
  "dispatch-backlog":
    "Runs differ: a tenth had 1.26 on 2026-11-28 and 0.90 on the day after; three rounds of this measure alone had 0.95.",
  "dispatch-dead":
    "Attempts at the dead endpoint hold some of the account's slots until they time out. Two tenths on 2026-11-29 had 1.04 and 0.92.",
  "dispatch-two": "The two processes share two processor cores with PostgreSQL and the receiver.",
  "start-time": "Nearly half of it is Node loading the modules of the program and of its libraries.",
  "start-memory":
    "Columns of the feeds, the indexes of carriers, lists of positions and finished pages stay in memory, beside Node's own program.",
  "publish-stall":
    "Readers wait for no lock and no disk, but for a processor core. The first request after the commit that publishes took 8 to 28 ms at " +
    "a tenth. The commit sends 7,600 to 11,300 messages about the tables that the import made and dropped, more than the 4,096 that " +
    "PostgreSQL keeps, so each connection forgets its plans and what it knew of tables, and makes them anew at its next statement. " +
    "Where only a feed's version was changed, the first request after it took 6 to 8 ms; with 8,900 such messages in the same commit, " +
    "10 to 16 ms.",
};

function reasonOf(name: string): string {
  const reason = REASONS[name];
  if (reason === undefined) throw new Error(`${name} missed its target: say in REASONS why.`);
  return reason;
}

function sizePart(report: BenchReport): string {
  const { size, measures, files, machine } = report;
  const share = Math.round((100 * size.carriers) / REAL_CARRIERS);
  const met = measures.filter(({ verdict }) => verdict === "met").length;
  const title = share === 100 ? "The registry's full size" : `${share}% of the registry's size`;
  return `## ${title}

${met} of ${measures.length} targets met. ${runNote(report)}

${markdownTable(["Measure", "Value", "Target", "Verdict", "Compared with"], byInterest(measures).map(measureRow), [1, 2])}

For times less is better (target ≤); for rows, answers or deliveries a second more is better
(target ≥).

${machineFacts(machine)}

### Registry files: ${title.toLowerCase()}

The run imported a made-up registry of ${counted(size.carriers)} companies, in the formats of the official files. Pages and exports were
measured on versions with the number of rows that each line names. Their rows repeat that registry's records.

${markdownTable(
  ["File", "Rows", "MB"],
  files.map(({ name, rows, sizeBytes }) => [name, counted(rows), counted(sizeBytes / 1e6)]),
  [1, 2],
)}`;
}

/** The value in three digits, as its spread allows. */
const shownValue = ({ value, unit }: Pick<Measured, "value" | "unit">): string =>
  value === null ? "–" : `${Number(value.toPrecision(3))} ${unit}`;

function measureRow(measured: Measured): string[] {
  const { name, what, unit, target, verdict, against, details } = measured;
  const { subject, limit } = details as Details;
  const medians =
    subject && limit
      ? ` ${counted(subject.median)} ${subject.unit} against ${counted(limit.median)} ${limit.unit}.`
      : "";
  return [
    `\`${name}\` *${what}.${medians}${verdict === "missed" ? ` ${reasonOf(name)}` : ""}*`,
    shownValue(measured),
    "atMost" in target ? `≤ ${target.atMost} ${unit}` : `≥ ${target.atLeast} ${unit}`,
    verdict === "missed" ? "**missed**" : `*${verdict}*`,
    against ?? "–",
  ];
}

const machineFacts = ({ memoryGib, system, node, database, psql, pgbench }: Machine): string =>
  `The machine has ${memoryGib} GiB, ${system}, Node ${node} and PostgreSQL ${database.version}, ${database.isEmbedded ? "the embedded one" : "the server of `DATABASE_URL`"}, with
${Object.entries(database.settings)
  .map(([name, value]) => `\`${name} = ${value}\``)
  .join(", ")}.
The limits are those of ${psql ?? "a loop on the driver instead of psql"} and ${pgbench ?? "a loop on the driver instead of pgbench"}.`;
