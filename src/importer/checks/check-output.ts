import type pg from "pg";
import type { EventType } from "../../events/event-types.ts";
import type { PublishedFeed } from "../../feeds/publish/publish.ts";
import * as sql from "../../generated/sql/importer/checks.ts";
import type { Contradictions } from "../../registry/authorities/motus-history.ts";
import { type Complaint, daysBetween, percent } from "./complaint.ts";

const MOST_CONTRADICTING_SHARE = 0.005;
/** With fewer contradictions than this no file counts as old, whatever their share. */
const FEWEST_CONTRADICTIONS = 10;
const MOST_TIMES_EVENTS = 5;
const FEWEST_EVENTS = 200;
const RUNS_COMPARED = 10;
/** The usual number of events is known only from this many earlier imports on. */
const FEWEST_RUNS_COMPARED = 3;

interface Output {
  feeds: readonly PublishedFeed[];
  contradictions: Contradictions;
  events: Partial<Record<EventType, number>>;
  asOf: string;
  /** The as-of day of the previous import; null for the first one. */
  before: string | null;
}

/** Reasons not to publish the output of an import. Runs in the import's transaction. */
export async function outputComplaints(client: pg.ClientBase, output: Output): Promise<Complaint[]> {
  const runs = await lastRuns(client);
  return [
    ...contradictionComplaints(output.contradictions, runs[0]?.contradictions ?? null),
    ...output.feeds.flatMap(({ feed, jumps = [] }) =>
      jumps.map((sentence): Complaint => [`feed-jump:${feed}`, sentence]),
    ),
    ...surgeComplaints(output, runs),
  ];
}

/** The last imports that published, newest first. */
const lastRuns = (client: pg.ClientBase): Promise<sql.LastRunsRow[]> =>
  sql.lastRuns(client, { limit: RUNS_COMPARED + 1 });

const shareOf = ({ shared, contradicting }: Contradictions): number => contradicting / Math.max(shared, 1);

function contradictionComplaints(now: Contradictions, before: Contradictions | null): Complaint[] {
  const share = shareOf(now);
  const usual = before ? shareOf(before) : 0;
  if (now.contradicting < FEWEST_CONTRADICTIONS || share - usual <= MOST_CONTRADICTING_SHARE) return [];
  return [
    [
      "sources-disagree",
      `Motus Carrier and Motus AuthHist contradict each other on the status (OP_AUTH_STATUS) of ${now.contradicting} of ` +
        `${now.shared} authorities (${percent(share)}): one of the files is old`,
    ],
  ];
}

/** Compares the number of events per day, since imports may be days apart. */
function surgeComplaints({ events, asOf, before }: Output, runs: readonly sql.LastRunsRow[]): Complaint[] {
  const found = Object.values(events).reduce((sum, count) => sum + count, 0);
  const daily = runs
    .slice(0, RUNS_COMPARED)
    .map((run, index) => run.events / daysBetween(runs[index + 1]?.asOf ?? null, run.asOf))
    .filter((count) => count > 0)
    .sort((one, other) => one - other);
  if (daily.length < FEWEST_RUNS_COMPARED || found <= FEWEST_EVENTS) return [];
  const usual = (daily[Math.floor(daily.length / 2)] ?? 0) * daysBetween(before, asOf);
  if (found <= usual * MOST_TIMES_EVENTS) return [];
  const types = Object.entries(events).map(([type, count]) => `${count} ${type}`);
  return [
    [
      "event-surge",
      `The import would write ${found} events (${types.join(", ")}) where about ${Math.round(usual)} are usual`,
    ],
  ];
}
