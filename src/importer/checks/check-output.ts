import type pg from "pg";
import type { EventType } from "../../events/event-types.ts";
import type { PublishedFeed } from "../../feeds/publish/publish.ts";
import { dayNumber } from "../../platform/clock.ts";
import type { Contradictions } from "../../registry/authorities/contradictions.ts";
import { type Complaint, percent } from "./check-against-last.ts";

const MOST_CONTRADICTING_SHARE = 0.005;
/** Fewer contradictions than this are accepted, whatever their share. */
const FEWEST_CONTRADICTIONS = 10;
const MOST_TIMES_EVENTS = 5;
const FEWEST_EVENTS = 200;
const RUNS_COMPARED = 10;
/** With fewer earlier imports than this the usual number of events is unknown. */
const FEWEST_RUNS_COMPARED = 3;

interface Output {
  feeds: readonly PublishedFeed[];
  contradictions: Contradictions;
  events: Partial<Record<EventType, number>>;
  asOf: string;
  /** The as-of day of the previous import; null for a first import. */
  before: string | null;
}

/** Complaints about the feeds and events that an import made. Runs in its transaction, before it is published. */
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

interface LastRun {
  asOf: string;
  events: number;
  contradictions: Contradictions | null;
}

/** The last imports that published, newest first. */
async function lastRuns(client: pg.ClientBase): Promise<LastRun[]> {
  const { rows } = await client.query<LastRun>(
    `SELECT as_of AS "asOf", report -> 'contradictions' AS contradictions,
       (SELECT coalesce(sum(value::int), 0)::int FROM jsonb_each_text(report -> 'events')) AS events
     FROM import_run WHERE status = 'published' ORDER BY id DESC LIMIT $1`,
    [RUNS_COMPARED + 1],
  );
  return rows;
}

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

/** Compares events per day, since imports may be several days apart. */
function surgeComplaints({ events, asOf, before }: Output, runs: readonly LastRun[]): Complaint[] {
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

const daysBetween = (from: string | null, to: string): number =>
  from === null ? 1 : Math.max(1, dayNumber(to) - dayNumber(from));
