import { Command } from "commander";
import { currentSourceWarnings, listSources } from "../feeds/sources-list.ts";
import { listPublishedFeeds, servedFeeds } from "../feeds/versions/feeds-list.ts";
import { listPublications, listRuns } from "../importer/runs.ts";
import type { EntryContext } from "../platform/context.ts";
import { type OutboxState, outboxState } from "../platform/mail/outbox.ts";
import { countOf } from "../platform/plural.ts";
import { listUnknownValues } from "../registry/sources.ts";
import { type RemovalsStatus, removalsStatus } from "../suppression/status.ts";
import { judgeService } from "../watch/alarms.ts";
import { type QueueState, queueState } from "../webhooks/queue/queue-state.ts";
import { originLines, reportLines, sourceWarningLines } from "./registry/report-lines.ts";
import { count, separated, table } from "./terminal/print.ts";
import { reporting } from "./terminal/reporting.ts";

const RUNS_SHOWN = 5;

export const statusCommand = (): Command =>
  reporting(
    new Command("status")
      .description("Say whether all is well, and what to do")
      .option(
        "--all",
        "also show feeds, sources, the last imports, deliveries, mails and removals in detail",
      ),
    async (context, { all = false }: { all?: boolean }) => {
      const judged = await judgeService(context);
      const status = await readStatus(context);
      const { warnings, publications, ...shown } = status;
      const parts = all
        ? detailParts(status, context.config.retentionDays.mails)
        : [feedLines(status), [...lastImport(status), ALL]];
      return { value: { ...judged, ...shown }, lines: separated([...judgedParts(judged), ...parts]) };
    },
  );

type Judged = Awaited<ReturnType<typeof judgeService>>;
type Status = Awaited<ReturnType<typeof readStatus>>;

async function readStatus(context: EntryContext) {
  const published = await listPublishedFeeds(context);
  const publications = await listPublications(
    context,
    published.flatMap(({ version }) => version ?? []),
  );
  const { data: sources } = await listSources(context);
  return {
    feeds: published.map((feed) => {
      const publication = publications.find(({ version }) => version === feed.version);
      return {
        ...feed,
        rows_by_source: publication?.rowsBySource ?? null,
        left_out: publication?.leftOut ?? null,
      };
    }),
    sources: sources.map(({ source, as_of, ...state }) => ({ dataset: source, ...state, newest_row: as_of })),
    unknown_values: await listUnknownValues(context),
    imports: await listRuns(context, RUNS_SHOWN),
    deliveries: await queueState(context),
    mails: await outboxState(context),
    removals: await removalsStatus(context, servedFeeds),
    publications,
    warnings: await currentSourceWarnings(context),
  };
}

const ALL = "`tdf status --all` shows all details.";

/** The verdict, and each finding with what to do. */
const judgedParts = ({ verdict, findings }: Judged): string[][] => [
  [verdict.text],
  ...findings.map(({ grade, what, todo }) => [
    `${grade === "bad" ? "NOW" : "LOOK"}  ${what}`,
    `      ${todo}`,
  ]),
];

function lastImport({ imports: [last] }: Pick<Status, "imports">): string[] {
  if (!last) return [];
  const { id, status, startedAt, asOf } = last;
  return [
    `Last import: ${id}, ${status}, started ${startedAt.toISOString()}${asOf ? `, as of ${asOf}` : ""}.`,
  ];
}

/** Everything as tables and sentences. */
function detailParts({ publications, warnings, imports, ...status }: Status, mailsDays: number): string[][] {
  const lastReport = imports.find((run) => run.report !== null)?.report;
  return [
    feedLines(status),
    publications.length === 0 ? [] : originLines(publications),
    sourceLines(status),
    sourceWarningLines(warnings),
    unknownValueLines(status),
    table(
      ["import", "started", "status", "as of", "why"],
      imports.map((run) => [
        run.id,
        run.startedAt.toISOString(),
        run.status,
        run.asOf ?? "–",
        run.refusal ?? "",
      ]),
    ),
    lastReport ? reportLines(lastReport) : [],
    [deliveryLine(status.deliveries), mailLine(status.mails, mailsDays), ...removalLines(status.removals)],
  ];
}

const feedLines = ({ feeds }: Pick<Status, "feeds">): string[] =>
  table(
    ["feed", "version", "rows", "as of", ""],
    feeds.map((feed) => [
      feed.feed,
      feed.version ?? "–",
      feed.rows ?? 0,
      feed.as_of ?? "–",
      feed.rolled_back_at === null ? feed.state : `${feed.state}, ROLLED BACK ${feed.rolled_back_at}`,
    ]),
  );

const sourceLines = ({ sources }: Pick<Status, "sources">): string[] =>
  table(
    ["source", "kind", "rows", "newest row", "imported"],
    sources.map(({ dataset, kind, rows, newest_row, imported_at }) => [
      dataset,
      kind,
      rows ?? "–",
      newest_row ?? "–",
      imported_at ?? "never",
    ]),
  );

const unknownValueLines = ({ unknown_values: values }: Pick<Status, "unknown_values">): string[] =>
  values.length === 0
    ? []
    : table(
        ["file with unknown values", "column", "value", "rows"],
        values.map(({ dataset, column, value, rows }) => [dataset, column, value || "(blank)", rows]),
      );

const deliveryLine = (state: QueueState): string =>
  `Webhook deliveries: ${count(state.queued)} queued, ${count(state.due)} of them due` +
  `${state.oldest_due_seconds === null ? "" : ` (the oldest for ${count(Math.round(state.oldest_due_seconds))} s)`}, ` +
  `${count(state.sending)} in flight; ${count(state.failed_last_day)} failed and ${count(state.cancelled_last_day)} ` +
  "cancelled in the last 24 hours.";

const mailLine = ({ waiting, waiting_since, failed }: OutboxState, days: number): string =>
  `Mails: ${waiting} waiting${waiting_since ? ` (since ${waiting_since})` : ""}, ${failed} given up in ${days} days.`;

function removalLines(removals: RemovalsStatus): string[] {
  const { businesses, contacts, waiting, waiting_since, braked_feeds } = removals;
  return [
    `Removals: ${countOf(businesses, "business", "businesses")}, ${countOf(contacts, "contact")}.`,
    ...(waiting > 0
      ? [
          `REMOVAL REQUESTS WAIT FOR YOUR DECISION: ${count(waiting)} since ${waiting_since}; see \`removal review\`.`,
        ]
      : []),
    ...(braked_feeds.length > 0
      ? [
          `MANY REMOVALS within 24 hours from ${braked_feeds.join(", ")}: requests by phone or e-mail now wait for your decision.`,
        ]
      : []),
  ];
}
