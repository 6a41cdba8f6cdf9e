// What a person needs to decide on a carrier: whether it may haul, the facts behind that, and why it is in the feeds of the
// plan or not. Only for carriers that the caller sees (carrier-lookup.ts).
import type pg from "pg";
import type { Caller } from "../../accounts/keys/caller.ts";
import { type EntitledFeed, entitledFeeds } from "../../feeds/entitlement.ts";
import * as sql from "../../generated/sql/carriers/decision.ts";
import type { components } from "../../generated/types.ts";
import { dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { inOneSnapshot } from "../../platform/database/transaction.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { servedDays, storedAuthorities } from "../explain/explain.ts";
import { findMemberships, type Membership } from "../explain/feed-membership.ts";
import type { AuthorityFacts, CompanyFacts } from "./facts.ts";
import { type FeedLine, feedLine } from "./feed-lines.ts";
import { type Answer, mayOperate } from "./may-operate.ts";
import { authorityFacts, companyFacts, type FactMembership, FEED_OF_FACTS } from "./read-facts.ts";

export interface Decision {
  /** The day on which it was made, YYYY-MM-DD. */
  today: string;
  answers: readonly Answer[];
  company: CompanyFacts;
  authorities: readonly AuthorityFacts[];
  /** A line for each feed of the plan. */
  feeds: readonly FeedLine[];
}

type Carrier = Pick<components["schemas"]["CarrierOut"], "usdot" | "records">;

/** The decision on a carrier that the caller was shown, with the records it was shown. */
export async function decideOn(context: Context, caller: Caller, carrier: Carrier): Promise<Decision> {
  const plan = entitledFeeds(caller);
  const usdot = Number(carrier.usdot);
  const today = dayOf(context.clock.now());
  const read = await inOneSnapshot(context.db.pool, (client) => readFacts(client, plan, usdot, today));
  const { company, authorities } = read;
  return {
    today,
    answers: mayOperate(company, authorities, today),
    company,
    authorities,
    feeds: plan.map((entitled) =>
      feedLine(entitled, {
        asOf: read.servedDays.get(entitled.feed.code) ?? null,
        memberships: read.memberships.filter(({ feed }) => feed === entitled.feed.code),
        records: carrier.records,
      }),
    ),
  };
}

/** After so many days without a file that says so, an order did not take effect: the registry writes its files every day. */
const SETTLED_DAYS = 7;

interface Facts {
  company: CompanyFacts;
  authorities: AuthorityFacts[];
  memberships: Membership[];
  servedDays: ReadonlyMap<string, string>;
}

async function readFacts(
  client: pg.ClientBase,
  plan: readonly EntitledFeed[],
  usdot: number,
  today: string,
): Promise<Facts> {
  const stored = await storedAuthorities(client, usdot);
  const served = await servedDays(client);
  const ofPlan = [...served].filter(([code]) => plan.some(({ feed }) => feed.code === code));
  // The oldest day of the plan's feeds while the feed of the facts is not live.
  const asOf = served.get(FEED_OF_FACTS) ?? ofPlan.map(([, day]) => day).toSorted()[0] ?? "";
  const unsettled = await sql.unsettledOrders(client, { usdot, asOf, days: SETTLED_DAYS });
  const cancellations = await sql.openCancellations(client, {
    usdot,
    today,
    legacyFrozenOn: LEGACY_FROZEN_ON,
  });
  const legacyCargo = await sql.legacyCargo(client, { usdot, today });
  const memberships = await findMemberships(client, [usdot], new Map([...ofPlan, [FEED_OF_FACTS, asOf]]));
  const ofFacts = memberships.filter(({ feed }) => feed === FEED_OF_FACTS) as FactMembership[];
  return {
    company: companyFacts(usdot, asOf, ofFacts),
    authorities: stored.map((authority) => {
      const isOf = (row: { docket: string | null; authority_class: string }) =>
        row.docket === authority.docket && row.authority_class === authority.authority_class;
      const member = ofFacts.find(({ docket_number, authority_class }) =>
        isOf({ docket: docket_number, authority_class }),
      );
      return authorityFacts(authority, member, {
        unsettledOrders: unsettled.filter(isOf),
        cancellations: served.has(FEED_OF_FACTS) ? cancellations.filter(isOf) : null,
        isLegacyCargoOnFile: legacyCargo.some(isOf),
      });
    }),
    memberships,
    servedDays: served,
  };
}
