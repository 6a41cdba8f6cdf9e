import type pg from "pg";
import { cursorAt } from "../../../src/events/cursor.ts";
import { EVENT_TYPES } from "../../../src/events/event-types.ts";
import { dayOf } from "../../../src/platform/clock.ts";
import type { Context } from "../../../src/platform/context.ts";
import { instanceId } from "../../../src/platform/installation/installation.ts";
import { STATE_CODES } from "../../../src/registry/places/state-codes.ts";
import { sharedIn } from "../frame/bench.ts";
import { newDatabase } from "../frame/databases.ts";
import { type Service, startService } from "../programs/program.ts";
import { type Customer, openCustomer } from "./customer.ts";
import { onDatabase } from "./open-database.ts";

export interface ServedEvents {
  service: Service;
  customer: Customer;
  /** Number of events; their ids are 1 to this. */
  events: number;
  /** The customer's cursor after the event of that id. */
  cursorAt(id: number): string;
}

/** A served database with this many events; it is dropped with the run. */
export const servedEvents = sharedIn(async (bench): Promise<ServedEvents> => {
  const { events } = bench.sizes;
  const databaseUrl = await newDatabase(bench);
  bench.say(`writing ${events} events`);
  const { customer, owner } = await onDatabase(bench, databaseUrl, async (context) => {
    const opened = await openCustomer(context);
    await writeEvents(context, events);
    return {
      customer: opened,
      owner: { instanceId: await instanceId(context), accountId: opened.accountId },
    };
  });
  const service = await startService(bench, databaseUrl);
  return { service, customer, events, cursorAt: (id) => cursorAt(owner, id) };
});

export const eventsPath = (cursor: string, filter: string): string =>
  `/v1/events?limit=100&cursor=${cursor}${filter}`;

/** Over so many days the events are spread. */
export const EVENT_DAYS = 90;

/** Writes events, and the detection of the last one. */
export async function writeEvents(context: Context, events: number): Promise<void> {
  const { bulkPool } = context.db;
  await insertEvents(bulkPool, events, { overDays: EVENT_DAYS });
  await bulkPool.query(
    `INSERT INTO detection (finished_at, as_of) VALUES (now(), $1)
     ON CONFLICT (id) DO UPDATE SET finished_at = excluded.finished_at, as_of = excluded.as_of`,
    [dayOf(context.clock.now())],
  );
  await bulkPool.query("VACUUM ANALYZE event");
}

/** Inserts new events of all types and states. Their ids and times grow together, as the importer's do. */
export const insertEvents = (
  client: Pick<pg.ClientBase, "query">,
  events: number,
  { overDays }: { overDays: number },
): Promise<unknown> =>
  client.query(
    `INSERT INTO event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
       verify_method, data, identity)
     SELECT ($2::text[])[1 + n % cardinality($2::text[])], 'US', 1000000 + (n * 7919::bigint) % 900000,
       'MC' || 100000 + n % 900000, 'carrier_property',
       ($3::text[])[1 + (n / 5) % cardinality($3::text[])],
       (now() - ($1 - n) * make_interval(days => $4) / $1)::date, now() - ($1 - n) * make_interval(days => $4) / $1,
       'authority_history', 'registry_record',
       jsonb_build_object('legal_name', 'BENCH CARRIER ' || n || ' LLC', 'reason', 'Granted',
         'authority_type', 'carrier_property', 'status_before', 'none', 'status_after', 'active',
         'effective_date', now()::date),
       gen_random_uuid()
     FROM generate_series(1, $1::int) AS n`,
    [events, EVENT_TYPES, STATE_CODES, overDays],
  );
