import type { Context } from "../../platform/context.ts";
import type { Caller } from "../keys/caller.ts";
import * as sql from "./statements.ts";

/** States of a feed; null: every state. */
type Regions = readonly string[] | null;

/** The states of a feed that a caller's plan included since a time: at any moment, and at all of them. */
export interface RegionsSince {
  any: Regions;
  all: Regions;
}

/** A moment by its number of removals, and whether it is exact: else any later one may be meant, since a time. */
interface Moment {
  number: number;
  isExact: boolean;
  since: Date;
}

/** At a moment, or from then until now, whatever became of the plan; an empty list for a feed that it did not include. */
export async function regionsSince(
  { db }: Context,
  { accountId, feeds: today }: Caller,
  feedCode: string,
  { number, isExact, since }: Moment,
): Promise<RegionsSince> {
  if (isExact) {
    const { rows } = await sql.feedsAt.run(db.pool, { accountId, number });
    const then = regionsIn(rows[0] === undefined ? today.get(feedCode) : rows[0].feeds[feedCode]);
    return { any: then, all: then };
  }
  const { rows } = await sql.feedsSince.run(db.pool, { accountId, number, since });
  const plans: Regions[] = rows.map(({ feeds }) => regionsIn(feeds[feedCode]));
  plans.push(regionsIn(today.get(feedCode)));
  const limited = plans.filter((regions) => regions !== null);
  const named = [...new Set(limited.flat())].sort();
  return {
    any: limited.length < plans.length ? null : named,
    all:
      limited.length === 0
        ? null
        : named.filter((state) => limited.every((regions) => regions.includes(state))),
  };
}

const regionsIn = (regions: Regions | undefined): Regions => (regions === undefined ? [] : regions);
