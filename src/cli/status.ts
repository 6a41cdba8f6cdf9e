import { Command } from "commander";
import { currentSourceWarnings, listSources } from "../feeds/sources-list.ts";
import { listPublishedFeeds } from "../feeds/versions/published-feeds.ts";
import { listPublications, listRuns } from "../importer/runs.ts";
import { type OutboxState, outboxState } from "../platform/mail/outbox.ts";
import { listUnknownValues } from "../registry/sources.ts";
import { type RemovalsStatus, removalsStatus } from "../suppression/status.ts";
import { type QueueState, queueState } from "../webhooks/deliveries/queue-state.ts";
import { count, print, table } from "./print.ts";
import { originLines } from "./registry/origin-lines.ts";
import { reportLines, sourceWarningLines } from "./registry/report-lines.ts";
import { withContext } from "./with-context.ts";

const RUNS_SHOWN = 5;

export function statusCommand(): Command {
  return new Command("status")
    .description("Show feeds, versions, freshness, sources, the last imports, deliveries, mails and removals")
    .option("--json", "print as JSON")
    .action((flags: { json?: boolean }) =>
      withContext(async (context) => {
        const feeds = await listPublishedFeeds(context);
        const publications = await listPublications(
          context,
          feeds.flatMap(({ version }) => version ?? []),
        );
        const { data: sources } = await listSources(context);
        const warnings = await currentSourceWarnings(context);
        const imports = await listRuns(context, RUNS_SHOWN);
        const lastReport = imports.find((run) => run.report !== null)?.report;
        const shownSources = sources.map(({ source, as_of, ...state }) => ({
          dataset: source,
          ...state,
          newest_row: as_of,
        }));
        const shownFeeds = feeds.map((feed) => {
          const publication = publications.find(({ version }) => version === feed.version);
          return {
            ...feed,
            rows_by_source: publication?.rowsBySource ?? null,
            left_out: publication?.leftOut ?? null,
          };
        });
        const unknownValues = await listUnknownValues(context);
        const deliveries = await queueState(context);
        const mails = await outboxState(context);
        const removals = await removalsStatus(context);
        const shown = {
          feeds: shownFeeds,
          sources: shownSources,
          unknown_values: unknownValues,
          imports,
          deliveries,
          mails,
          removals,
        };
        print(shown, flags, () => [
          ...table(
            ["feed", "version", "rows", "as of", ""],
            feeds.map((feed) => [
              feed.feed,
              feed.version ?? "–",
              feed.rows ?? 0,
              feed.as_of ?? "–",
              feed.rolled_back_at === null ? feed.state : `${feed.state}, ROLLED BACK ${feed.rolled_back_at}`,
            ]),
          ),
          ...(publications.length > 0 ? ["", ...originLines(publications)] : []),
          "",
          ...table(
            ["source", "kind", "rows", "newest row", "imported"],
            shownSources.map((source) => [
              source.dataset,
              source.kind,
              source.rows ?? "–",
              source.newest_row ?? "–",
              source.imported_at ?? "never",
            ]),
          ),
          ...(warnings.length > 0 ? ["", ...sourceWarningLines(warnings)] : []),
          ...(unknownValues.length === 0
            ? []
            : [
                "",
                ...table(
                  ["file with unknown values", "column", "value", "rows"],
                  unknownValues.map(({ dataset, column, value, rows }) => [
                    dataset,
                    column,
                    value || "(blank)",
                    rows,
                  ]),
                ),
              ]),
          "",
          ...table(
            ["import", "started", "status", "as of", "why"],
            imports.map((run) => [
              run.id,
              run.startedAt.toISOString(),
              run.status,
              run.asOf ?? "–",
              run.refusal ?? "",
            ]),
          ),
          ...(lastReport ? ["", ...reportLines(lastReport)] : []),
          "",
          deliveryLine(deliveries),
          mailLine(mails),
          ...removalLines(removals),
        ]);
      }),
    );
}

const deliveryLine = (state: QueueState): string =>
  `Webhook deliveries: ${count(state.queued)} queued, ${count(state.due)} of them due` +
  `${state.oldest_due_seconds === null ? "" : ` (the oldest for ${count(Math.round(state.oldest_due_seconds))} s)`}, ` +
  `${count(state.sending)} in flight; ${count(state.failed_last_day)} failed and ${count(state.cancelled_last_day)} ` +
  "cancelled in the last 24 hours.";

const mailLine = ({ waiting, waiting_since, failed }: OutboxState): string =>
  `Mails: ${waiting} waiting${waiting_since ? ` (since ${waiting_since})` : ""}, ${failed} given up in 90 days.`;

function removalLines(removals: RemovalsStatus): string[] {
  const { businesses, contacts, waiting, waiting_since, braked_feeds } = removals;
  return [
    `Removals: ${count(businesses)} businesses, ${count(contacts)} contacts.`,
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
