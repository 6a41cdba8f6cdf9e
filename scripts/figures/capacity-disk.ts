import { markdownTable } from "../../src/pages/guides/markdown-table.ts";
import type { BenchReport } from "../bench/frame/report.ts";
import { shown } from "./wording.ts";

/** Two made-up registries, each imported once: the folder of all databases (`du -sm data/base`), and `tdf backup`. */
const MEASURED = [
  { companies: 15_000, baseMb: 57, rows: 73_777, backupMb: 3.66 },
  { companies: 45_000, baseMb: 90, rows: 204_124, backupMb: 9.96 },
] as const;
const FULL_COMPANIES = 4_500_000;
/** Of a dispatcher that sends; `ps` of a process of the small registry. */
const DISPATCH_MB = 163;

/** What each figure comes to at the full registry, by what the companies between the two registries added. */
function atFullSize(figure: "baseMb" | "rows" | "backupMb"): number {
  const [small, large] = MEASURED;
  const each = (large[figure] - small[figure]) / (large.companies - small.companies);
  return small[figure] + each * (FULL_COMPANIES - small.companies);
}

/** The part of docs/capacity.md about memory, disk and backups. */
export function memoryAndDisk({ measures }: Pick<BenchReport, "measures">): string {
  const of = (name: string) => measures.find((each) => each.name === name);
  const mb = (name: string) => `${shown(of(name)?.value ?? Number.NaN)} MB`;
  const copied = of("import-copy")?.details.subject as { median: number };
  const [small, large] = MEASURED;
  const gb = (figure: "baseMb" | "backupMb") => `${shown(atFullSize(figure) / 1_000, 2)} GB`;
  const rows = atFullSize("rows");
  return `## How much memory and disk do I need?

For the full registry of ${shown(FULL_COMPANIES / 1_000_000)} million companies:

${markdownTable(
  ["What", "How much", "How it is known"],
  [
    ["`serve`, memory", mb("start-memory"), "measured with a feed of 600,000 records (`start-memory`)"],
    [
      "`serve`, memory for whole exports",
      `${mb("export-memory")} more`,
      "measured (`export-memory`); a first Parquet file takes up to 512 MB",
    ],
    [
      "`dispatch`, memory",
      `${DISPATCH_MB} MB`,
      "measured with a small registry; it does not depend on its size",
    ],
    ["`import`, memory", mb("import-memory"), "measured at full size (`import-memory`)"],
    [
      "PostgreSQL, memory",
      "`shared_buffers` and 10 MB a connection",
      "by its settings, and estimated; give the rest of the machine to its file cache",
    ],
    [
      "database, disk after the first import",
      gb("baseMb"),
      `computed: ${small.baseMb} MB with ${shown(small.companies)} companies, ${large.baseMb} MB with ${shown(large.companies)}`,
    ],
    [
      "database, disk to plan",
      `four times that`,
      "estimated: two versions of every feed, rows that an import replaced, a year of history",
    ],
    ["PostgreSQL's log, disk", "4 GB", "by `max_wal_size`; more while a standby or the archive is behind"],
    [
      "the registry's files, disk",
      "20 GB",
      "as [containers](operating/containers.md) says: each file, and its next version while it is fetched",
    ],
    [
      "`tdf backup`, disk",
      gb("backupMb"),
      `computed: ${small.backupMb} MB for ${shown(small.rows, 5)} rows, ${large.backupMb} MB for ${shown(large.rows, 6)}`,
    ],
    [
      "`tdf backup` and `restore`, time",
      `at least ${shown(rows / copied.median / 60, 2)} min each`,
      `computed: ${shown(rows / 1_000_000, 2)} million rows at the ${shown(copied.median)} a second that COPY reads (\`import-copy\`); a restore makes every index too`,
    ],
  ],
)}

The computed ones were not measured at full size. These commands measure them on a machine of yours, after the first import:

\`\`\`sh
psql "$DATABASE_URL" -c "SELECT pg_size_pretty(pg_database_size(current_database()))"
time npm run -s tdf -- backup /backups/full.backup
time npm run -s tdf -- restore /backups/full.backup   # with DATABASE_URL of an empty database
\`\`\``;
}
