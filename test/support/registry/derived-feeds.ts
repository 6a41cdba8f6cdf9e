// Feeds of made-up registries, for tests of the rules of feeds.
import { setTimeout as delay } from "node:timers/promises";
import type { FeedCode } from "../../../src/feeds/catalogue.ts";
import { versionTable } from "../../../src/feeds/versions/feed-version.ts";
import type { Context } from "../../../src/platform/context.ts";
import { publishRegistry, type RegistryRows } from "./derived-registry.ts";
import { type RegistryRow, wholeRow } from "./registry-rows.ts";
import { everySourceOf } from "./source-days.ts";

export type FeedRecord = Record<string, string | number | boolean | null>;
type Feeds = Partial<Record<FeedCode, FeedRecord[]>>;

/** What the records are made with, other than the rows. */
interface Origin {
  asOf: string;
  /** Days of sources other than `asOf`; undefined for one that was never imported. */
  days?: Partial<Record<string, string | undefined>>;
  /** The key of the record ids, instead of the installation's. */
  key?: string;
}

export interface FeedDerivation {
  /** The records of each feed if the registry had these rows and no others. Nothing is kept. */
  derive(rows: RegistryRows, origin: Origin): Promise<Feeds>;
  /**
   * The same, derived with the rows that other tests ask for at the same time: a derivation takes about as long for one
   * company as for hundreds. Companies and dockets get other numbers meanwhile.
   */
  deriveTogether(rows: RegistryRows, asOf: string): Promise<Feeds>;
}

/** Numbers of companies and dockets of one registry are below this. */
const NUMBERS = 200_000;

interface Batch {
  registries: RegistryRows[];
  feeds: Promise<Feeds[]>;
}

export function feedDerivation(context: Context): FeedDerivation {
  let running: Promise<unknown> = Promise.resolve();
  const batches = new Map<string, Batch>();
  const derive: FeedDerivation["derive"] = (rows, origin) => {
    const derived = running.then(() => derivedFeeds(context, rows, origin));
    running = derived.catch(() => {});
    return derived;
  };
  const openBatch = (asOf: string): Batch => {
    const registries: RegistryRows[] = [];
    const feeds = delay(1).then(async () => {
      batches.delete(asOf);
      const rows = registries.flatMap((each, index) => each.map(([table, row]) => moved(table, row, index)));
      const derived = await derive(rows, { asOf });
      return registries.map((_, index) => feedsOfRegistry(derived, index));
    });
    const batch = { registries, feeds };
    batches.set(asOf, batch);
    return batch;
  };
  return {
    derive,
    deriveTogether: async (rows, asOf) => {
      const { registries, feeds } = batches.get(asOf) ?? openBatch(asOf);
      const index = registries.push(rows) - 1;
      return (await feeds)[index] ?? {};
    },
  };
}

async function derivedFeeds(
  { db, clock }: Context,
  rows: RegistryRows,
  { asOf, days = {}, key }: Origin,
): Promise<Feeds> {
  const client = await db.bulkPool.connect();
  try {
    await client.query("BEGIN");
    if (key !== undefined)
      await client.query("UPDATE installation SET record_id_key = $1", [Buffer.from(key)]);
    const sourceDays = new Map(
      [...everySourceOf(asOf)]
        .filter(([dataset]) => !(dataset in days && days[dataset] === undefined))
        .map(([dataset, day]) => [dataset, days[dataset] ?? day]),
    );
    const published = await publishRegistry(client, rows, { asOf, now: clock.now(), sourceDays });
    const feeds: Feeds = {};
    for (const { feed, version } of published) {
      const { rows: texts } = await client.query<{ json: string }>(
        `SELECT json FROM ${versionTable(version)} ORDER BY pos`,
      );
      feeds[feed] = texts.map(({ json }) => JSON.parse(json) as FeedRecord);
    }
    return feeds;
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

/** A row whose company and docket have the numbers of the registry at an index. */
function moved(table: string, row: RegistryRow, index: number): [string, RegistryRow] {
  const { usdot, docket, ...rest } = wholeRow(table, row);
  if (usdot !== undefined) rest.usdot = usdot === null ? null : Number(usdot) + index * NUMBERS;
  if (docket !== undefined) rest.docket = movedDocket(docket, index);
  return [table, rest];
}

/** The records of the registry at an index, with the numbers that its rows have. */
const feedsOfRegistry = (feeds: Feeds, index: number): Feeds =>
  Object.fromEntries(
    Object.entries(feeds).map(([feed, records]) => [
      feed,
      records
        .filter(({ dot_number }) => Math.floor(Number(dot_number) / NUMBERS) === index)
        .map((record) => ({
          ...record,
          dot_number: String(Number(record.dot_number) % NUMBERS),
          docket_number: movedDocket(record.docket_number ?? null, -index),
        })),
    ]),
  );

const movedDocket = (docket: FeedRecord[string], index: number): string | null =>
  typeof docket === "string"
    ? docket.replace(/\d+$/, (number) => String(Number(number) + index * NUMBERS))
    : null;
