import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { type Fault, InvalidRequestError } from "../../platform/http/invalid-request.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import type { Feed } from "../catalogue.ts";
import * as sql from "./statements.ts";

/** For how long the changes of a version can be read. */
export const CHANGES_KEPT_DAYS = 90;

/** State, or the empty text for none, → counts of a version and of the step that led to it. */
export type StepStates = Readonly<
  Record<string, { rows: number; digest: string; added: number; changed: number; removed: number }>
>;

export type FeedStep = sql.ListStepsRow;

/** The steps of the last CHANGES_KEPT_DAYS days, oldest first. */
export async function listSteps(context: Context, feed: Feed): Promise<FeedStep[]> {
  const { rows } = await sql.listSteps.run(context.db.pool, { feed: feed.code, since: keptSince(context) });
  return rows;
}

export type Publication = sql.ListPublicationsRow;

/** Their publications, newest first: at most `most`, of steps before the one with the id `before` if it is not null. */
export async function listPublications(
  context: Context,
  feed: Feed,
  { before, most }: { before: number | null; most: number },
): Promise<Publication[]> {
  const since = keptSince(context);
  const { rows } = await sql.listPublications.run(context.db.pool, { feed: feed.code, since, before, most });
  return rows;
}

const keptSince = ({ clock }: Context): Date => new Date(clock.now().getTime() - CHANGES_KEPT_DAYS * DAY_MS);

/** The way of a feed's readers from one version to another. */
export interface FeedPath {
  /** The step that led to the version at the start, which is not part of the way. */
  start: FeedStep;
  steps: readonly FeedStep[];
}

/**
 * The shortest way from the version `since` to the version `to`, over rollbacks too. ProblemError version_expired when
 * there is none: `since` is unknown or too old, or the versions between can't be compared. InvalidRequestError when the
 * caller asked for a `to` before `since`.
 */
export function pathBetween(
  feed: Feed,
  all: readonly FeedStep[],
  { since, to, isToAsked }: { since: number; to: number; isToAsked: boolean },
): FeedPath {
  const end = all.findLastIndex(({ toVersion }) => toVersion === to);
  const begin = all.findLastIndex(({ toVersion }, at) => at <= end && toVersion === since);
  const start = all[begin];
  const steps = all.slice(begin + 1, end + 1);
  if (start === undefined && isToAsked && since > to) throw new InvalidRequestError([BACKWARDS]);
  if (start === undefined || steps.some(({ fromVersion }) => fromVersion === null)) {
    throw new ProblemError(
      "version_expired",
      `The changes of ${feed.code} since version ${since} can't be told: it is not a version of this feed, it is older ` +
        `than ${CHANGES_KEPT_DAYS} days, or the feed began anew since. Take an export, and continue from its version.`,
    );
  }
  return { start, steps };
}

const BACKWARDS: Fault = {
  loc: ["query", "since_version"],
  msg: "must not be above to_version: changes lead from an earlier version to a later one",
  type: "value_error",
};
