// What an account reads of the carriers that it watches, beside what the recount finds in the files.
import type { components } from "../../src/generated/types.ts";
import type { Context } from "../../src/platform/context.ts";
import type { SettableClock } from "../support/clock.ts";
import { ALL_FEEDS, AMPLE } from "../support/feeds/every-feed.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { differences } from "./differences.ts";
import type { Recount, Row } from "./recount.ts";

type Changes = components["schemas"]["CarrierChangesOut"];
type Changed = components["schemas"]["WatchedCarriersChanged"];

/** Watches every third company that has a change, and some that have none, at once and by several calls. */
const ONE_OF = 3;
const AT_ONCE = 10_000;

/** What the account reads of the carriers on its list, and the recount of it. */
export interface WatchedDays {
  disagreements: string[];
  /** Changes that were compared, and carriers that were watched. */
  changes: number;
  carriers: number;
}

/** Puts carriers on a list over the API, reads the changes since `firstDay`, and compares them with the recount. */
export async function compareWatched(
  databaseUrl: string,
  { clock, recount, firstDay }: { clock: SettableClock; recount: Recount; firstDay: string },
): Promise<WatchedDays> {
  const service = await startTestService({ databaseUrl, clock });
  try {
    const plan = { ...AMPLE, feeds: ALL_FEEDS, rowsPerMonth: 1_000_000, watchedCarriers: 1_000_000 };
    const { key } = await service.createAccount({ ...plan, requestsPerMinute: 100_000 });
    const watched = await watch(service, key);
    const served = await changesOf(service, key, `since=${firstDay}T00:00:00Z&limit=1000`);
    const all = (await recount.changes()).filter(({ usdot }) => watched.has(Number(usdot)));
    const hidden = await blankedOf(service.context, all);
    const shown = all.flatMap((change) => shownOf(change, hidden));
    const about = ({ seen_on, source, field, usdot, docket }: Row) =>
      `${seen_on} ${source} ${field} of USDOT ${usdot} ${docket} as watched`;
    return {
      disagreements: differences(served, shown, about).sort(),
      changes: shown.length,
      carriers: watched.size,
    };
  } finally {
    await service.stop();
  }
}

async function watch(service: TestService, key: string): Promise<Set<number>> {
  const { rows } = await service.context.db.pool.query<{ usdot: number }>(
    "SELECT DISTINCT usdot FROM authority WHERE usdot % $1 = 0 ORDER BY usdot",
    [ONE_OF],
  );
  const usdots = rows.map(({ usdot }) => usdot);
  const made = await service.send("POST", "/v1/watchlists", { key, body: { name: "Watched" } });
  const { id } = (await made.json()) as { id: number };
  let added = 0;
  for (let at = 0; at < usdots.length; at += AT_ONCE) {
    const body = { usdots: usdots.slice(at, at + AT_ONCE).map(String) };
    const answer = await service.send("POST", `/v1/watchlists/${id}/carriers`, { key, body });
    added += ((await answer.json()) as Changed).added;
  }
  if (added !== usdots.length) throw new Error(`${added} of ${usdots.length} carriers were put on the list`);
  return new Set(usdots);
}

async function changesOf(service: TestService, key: string, query: string): Promise<Row[]> {
  const read: Row[] = [];
  for (let next: string | null = query; next !== null; ) {
    const answer = await service.get(`/v1/carrier-changes?${next}`, key);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    const { data, next_cursor } = (await answer.json()) as Changes;
    read.push(
      ...data.map((change) => ({
        seen_on: change.seen_at.slice(0, 10),
        source: change.source_dataset,
        usdot: Number(change.usdot),
        docket: change.docket_number,
        authority_type: change.authority_type,
        policy_no: change.policy_no,
        category: change.category,
        field: change.field,
        before: change.before,
        after: change.after,
        on: change.on,
      })),
    );
    next = next_cursor && `limit=1000&cursor=${next_cursor}`;
  }
  return read;
}

/** The contacts among the values that are shown nowhere. */
async function blankedOf({ db }: Context, changes: readonly Row[]): Promise<Set<unknown>> {
  const contacts = changes.filter(({ category }) => category === "contact");
  const values = contacts.flatMap(({ old_value, new_value }) => [old_value, new_value]);
  const { rows } = await db.pool.query<{ value: string }>(
    "SELECT value FROM unnest($1::text[]) AS value WHERE is_contact_blanked(value)",
    [values],
  );
  return new Set(rows.map(({ value }) => value));
}

/** A change of the recount as customers see it; none where both contacts are hidden. */
function shownOf(change: Row, hidden: ReadonlySet<unknown>): Row[] {
  const [before, after] = [change.old_value, change.new_value].map((value) =>
    hidden.has(value) ? null : value,
  );
  if (change.category === "contact" && before === null && after === null) return [];
  const item = (change.item ?? {}) as Row;
  return [
    {
      seen_on: change.seen_on ?? null,
      source: change.source ?? null,
      usdot: change.usdot ?? null,
      docket: change.docket ?? null,
      authority_type: item.authority_type ?? null,
      policy_no: item.policy_no ?? null,
      category: change.category ?? null,
      field: change.field ?? null,
      before: textOf(before),
      after: textOf(after),
      on: change.registry_on ?? null,
    },
  ];
}

const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.join(";");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
