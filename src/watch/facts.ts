// Watching: what an operator has to know of the service, its verdict, alarms, and the sign-in of the operator's page.
// Owns the tables of prisma/schema/watch.prisma. The command `status`, the page /admin and the mails all tell the findings
// of findings.ts. An alarm is mailed once, however many processes watch.
import { accessWaiting } from "../accounts/access/requests.ts";
import { lastBackupAt } from "../backup/last-backup.ts";
import { type FeedState, feedStates, servedFeeds } from "../feeds/versions/feeds-list.ts";
import { type NewestRun, newestRuns } from "../importer/runs.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import {
  countAllFailedMails,
  type FailedMail,
  listFailedMails,
  longestWaiting,
} from "../platform/mail/outbox.ts";
import { type RemovalsStatus, removalsStatus } from "../suppression/status.ts";
import { countPausedByFailures } from "../webhooks/endpoints/troubled.ts";
import { oldestDueSeconds } from "../webhooks/queue/queue-state.ts";

/** Mails that were given up are told for this long. */
export const MAILS_TOLD_DAYS = 7;

const MOST_FAILED_MAILS = 20;

/** What the verdict follows from. */
export interface Facts {
  feeds: readonly FeedState[];
  /** The newest import of each status. */
  imports: readonly NewestRun[];
  /** The mail that waits longest. */
  mailWaits: Awaited<ReturnType<typeof longestWaiting>>;
  /** The newest of those that were given up in the last days, the newest first. */
  failedMails: readonly FailedMail[];
  /** How many were given up in these days. */
  failedMailCount: number;
  /** How long the oldest due delivery has waited. */
  deliveryWaitsSeconds: number | null;
  removals: Pick<RemovalsStatus, "waiting" | "waiting_since" | "braked_feeds">;
  /** Requests for access that wait for the operator. */
  access: { waiting: number; since: Date | null };
  /** Endpoints paused in the last days because their deliveries failed. */
  pausedEndpoints: number;
  /** Null: `tdf backup` never ran here. */
  backupAt: Date | null;
}

/** Reads the facts. Each costs one short statement. */
export async function readFacts(context: Context): Promise<Facts> {
  const since = new Date(context.clock.now().getTime() - MAILS_TOLD_DAYS * DAY_MS);
  return {
    feeds: await feedStates(context),
    imports: await newestRuns(context),
    mailWaits: await longestWaiting(context),
    failedMails: await listFailedMails(context, { since, most: MOST_FAILED_MAILS }),
    failedMailCount: await countAllFailedMails(context, since),
    deliveryWaitsSeconds: await oldestDueSeconds(context),
    removals: await removalsStatus(context, servedFeeds),
    access: await accessWaiting(context),
    pausedEndpoints: await countPausedByFailures(context),
    backupAt: await lastBackupAt(context),
  };
}
