import { readFileSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { generateRegistry } from "../../src/cli/registry/made-up-registry.ts";
import { importFolder } from "../../src/importer/import.ts";
import { Refusal } from "../../src/importer/read/refusal.ts";
import type { Context } from "../../src/platform/context.ts";
import { settableClock } from "../support/clock.ts";
import { openTestContext } from "../support/context.ts";
import { createTestDatabase } from "../support/database.ts";
import { differences, orderDifference } from "./differences.ts";
import { FEED_COLUMNS } from "./feed-columns.ts";
import { writeOddRows } from "./odd-rows.ts";
import type { Agents } from "./plain-tables.ts";
import { RecordIds } from "./record-ids.ts";
import { openRecount, prefixed, type Recount, type Row } from "./recount.ts";
import { servedFeed } from "./served-feed.ts";
import { compareWatched } from "./watched.ts";

export interface RegistryDays {
  seed: number;
  carriers: number;
  firstDay: string;
  days: number;
  /** Imports the days after the first as daily differences. The recount always reads whole files. */
  asDifferences?: boolean;
  /** Writes rows into the Motus files that name authorities and policies in odd ways. What the import then refuses is accepted. */
  hasOddRows?: boolean;
}

/** More than in the real registry, so that a few days of a small one show every kind of change. */
const DAILY_EDITS = 0.02;

/** The result of a run of several days: every refusal and disagreement, and how much was compared. */
export interface Outcome {
  disagreements: string[];
  /** Records of each feed, summed over the days, events of each type, and changes of each category. */
  compared: Record<string, number>;
}

const agents = parse(
  readFileSync(new URL("../../src/registry/contacts/agents.yaml", import.meta.url), "utf8"),
) as Agents;

/** Generates a registry, imports it day by day, and compares the service with the recount after each day. */
export async function compareDays(story: RegistryDays): Promise<Outcome> {
  const { seed, carriers, firstDay, days, asDifferences = false, hasOddRows = false } = story;
  const outDir = await mkdtemp(path.join(tmpdir(), "tdf-recount-"));
  const database = await createTestDatabase();
  const clock = settableClock(`${firstDay}T18:00:00Z`);
  const context = await openTestContext(database.url, clock);
  const recount = await openRecount(database.url, agents);
  const outcome: Outcome = { disagreements: [], compared: {} };
  const recordIds = new RecordIds();
  try {
    for (let day = 0; day < days; day += 1) {
      const [written] = await generateRegistry({
        outDir,
        carriers,
        seed,
        firstDay,
        days: day + 1,
        fromDay: day,
        differences: asDifferences,
        dailyEdits: DAILY_EDITS,
      });
      if (!written) throw new Error(`day ${day} was not written`);
      if (hasOddRows) await writeOddRows(written.dir);
      const isDifference = asDifferences && day > 0;
      const dir = isDifference ? `${written.dir}-difference` : written.dir;
      // These have no daily difference: they are always whole files.
      for (const name of isDifference ? ["census.csv", "oos_order.csv"] : [])
        await copyFile(path.join(written.dir, name), path.join(dir, name));
      clock.set(`${written.date}T18:00:00Z`);
      const refusals = await importDay(context, dir, isDifference);
      if (!hasOddRows)
        outcome.disagreements.push(...refusals.map((line) => `${written.date} refused: ${line}`));
      await recount.read(written.dir, written.date);
      await compareFeeds(context, { recount, recordIds }, written.date, outcome);
      for (const done of new Set([dir, written.dir])) await rm(done, { recursive: true });
    }
    await compareEvents(context, recount, outcome);
    await compareChanges(context, recount, outcome);
    const watched = await compareWatched(database.url, { clock, recount, firstDay });
    outcome.disagreements.push(...watched.disagreements);
    outcome.compared["changes of watched carriers"] = watched.changes;
    return outcome;
  } finally {
    await recount.close();
    await context.db.close();
    await database.drop();
    await rm(outDir, { recursive: true, force: true });
  }
}

/** Imports a day and accepts whatever is refused, so that the days after it are compared too. Returns the refusals. */
async function importDay(context: Context, dir: string, isDifference: boolean): Promise<string[]> {
  const refusals: Refusal[] = [];
  for (;;) {
    const accept = new Set(refusals.flatMap(({ checkNames }) => checkNames));
    try {
      await importFolder(context, { dir, isDifference, asOf: null, accept });
      return refusals.map(({ message }) => message);
    } catch (error) {
      if (!(error instanceof Refusal) || error.checkNames.every((name) => accept.has(name))) throw error;
      refusals.push(error);
    }
  }
}

async function compareFeeds(
  context: Context,
  { recount, recordIds }: { recount: Recount; recordIds: RecordIds },
  day: string,
  { disagreements, compared }: Outcome,
): Promise<void> {
  for (const code of Object.keys(FEED_COLUMNS)) {
    const served = await servedFeed(context, code);
    const recounted = await recount.feed(code);
    const dayAndFeed = `${day} ${code}`;
    if (served?.asOf !== recounted?.asOf)
      disagreements.push(
        `${dayAndFeed}: the service is as of ${served?.asOf}, the recount ${recounted?.asOf}`,
      );
    if (!served || !recounted) continue;
    compared[code] = (compared[code] ?? 0) + recounted.records.length;
    // Nobody can compute an id without the key of the installation.
    const records = served.records.map(({ record_id: _, ...record }) => record);
    const found = differences(records, recounted.records, authorityOf);
    if (found.length === 0) found.push(...orderDifference(records, recounted.records, authorityOf));
    found.push(...recordIds.faultsOf(code, served.records));
    disagreements.push(...found.map((line) => `${dayAndFeed} ${line}`));
  }
}

const authorityOf = (row: Row): string =>
  `USDOT ${row.dot_number} ${row.docket_number} ${row.authority_type ?? row.entity_type}`;

async function compareEvents(
  context: Context,
  recount: Recount,
  { disagreements, compared }: Outcome,
): Promise<void> {
  const { rows } = await context.db.pool.query<Row & { data: Row }>(
    `SELECT type, usdot, CASE WHEN docket NOT LIKE 'DOT%' THEN docket END AS docket, authority_class, state,
       occurred_on::text AS occurred_on, (detected_at AT TIME ZONE 'UTC')::date::text AS detected_on,
       source_dataset, verify_method,
       -- The recount knows the day of a correction only.
       CASE WHEN data ? 'corrected_at'
         THEN data || jsonb_build_object('corrected_at', left(data ->> 'corrected_at', 10)) ELSE data END AS data
     FROM event ORDER BY id`,
  );
  const served = rows.map(({ data, ...event }) => ({ ...event, ...prefixed(data) }));
  const recounted = await recount.events();
  for (const { type } of recounted) compared[String(type)] = (compared[String(type)] ?? 0) + 1;
  const aboutOf = ({ detected_on, type, usdot, docket, authority_class }: Row) =>
    `${detected_on} ${type} USDOT ${usdot} ${docket} ${authority_class}`;
  disagreements.push(...differences(served, recounted, aboutOf).sort(), ...causesAfterEffects(served));
}

async function compareChanges(
  context: Context,
  recount: Recount,
  { disagreements, compared }: Outcome,
): Promise<void> {
  const { rows } = await context.db.pool.query<Row>(
    `SELECT usdot, docket, item, category, field, old_value, new_value, registry_on::text AS registry_on,
       as_of::text AS as_of, (seen_at AT TIME ZONE 'UTC')::date::text AS seen_on, source
     FROM carrier_change`,
  );
  const recounted = await recount.changes();
  for (const { category } of recounted)
    compared[`changes: ${category}`] = (compared[`changes: ${category}`] ?? 0) + 1;
  // Another form is no change: the comparison below shows that the service records none.
  if ((await recount.retyped()) > 0) compared["changes: none, another form"] = await recount.retyped();
  const aboutOf = ({ seen_on, usdot, docket, item, field, source }: Row) =>
    `${seen_on} ${source} ${field} of USDOT ${usdot} ${docket} ${JSON.stringify(item)}`;
  disagreements.push(...differences(rows, recounted, aboutOf).sort());
}

const ORDER_OF_CAUSE = ["new_authority_granted", "insurance_cancellation_suspension", "reinstated"];

/** Events of an authority on one day are in the order of cause. */
function causesAfterEffects(served: readonly Row[]): string[] {
  const ordered = served.filter(({ type }) => ORDER_OF_CAUSE.includes(String(type)));
  const ofOneDay = Map.groupBy(
    ordered,
    ({ usdot, docket, authority_class, occurred_on, detected_on }) =>
      `USDOT ${usdot} ${docket} ${authority_class} on ${occurred_on}, seen ${detected_on}`,
  );
  return [...ofOneDay].flatMap(([about, events]) => {
    const ranks = events.map(({ type }) => ORDER_OF_CAUSE.indexOf(String(type)));
    return ranks.every((rank, at) => at === 0 || rank > (ranks[at - 1] ?? -1))
      ? []
      : [`${about}: ${events.map(({ type }) => type).join(", ")}`];
  });
}
