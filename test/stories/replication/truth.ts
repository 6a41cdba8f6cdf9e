// What the service may say: the rows of every published version, and the businesses that were removed meanwhile.
import pg from "pg";

interface Row {
  usdot: string;
  state: string | null;
  json: string;
  csv: string;
}

/** A version, as the primary had it after its publication. */
export interface Version {
  id: number;
  feed: string;
  asOf: string;
  rows: readonly Row[];
  indexByJson: ReadonlyMap<string, number>;
}

/** The time of a request and of its answer, in milliseconds. */
export interface Period {
  startedMs: number;
  finishedMs: number;
}

export interface Truth {
  versions: ReadonlyMap<number, Version>;
  /** The newest version of each feed. */
  newest(): Version[];
  /** Reads the versions that it does not know from a server. */
  learn(url: string): Promise<void>;
  /** Notes that a business' removal was asked for, and later that the service confirmed it. */
  noteAsked(usdot: string): void;
  noteConfirmed(usdot: string): void;
  /** A removal that was lost in a failover does not count. */
  forget(usdot: string): void;
  /** When each removal was confirmed. */
  confirmed(): ReadonlyMap<string, number>;
  isKnownToBeRemoved(usdot: string, at: Period): boolean;
  /** Why a record that is shown alone is wrong; null when it is right. */
  faultOfRecord(feed: string, asOf: string | null, record: unknown, at: Period): string | null;
  /** Why a list of rows is wrong; null when it is right. It may lack rows at its ends unless it `isWhole`. */
  faultOfRows(
    version: Version,
    indexes: readonly (number | undefined)[],
    at: Period,
    how: { isWhole: boolean; state?: string },
  ): string | null;
}

/** JSON in one form, whatever its bytes. */
export const formOf = (record: unknown): string => JSON.stringify(record);

export function createTruth(): Truth {
  const versions = new Map<number, Version>();
  const asked = new Map<string, number>();
  const confirmed = new Map<string, number>();
  const mustMiss = (usdot: string, { startedMs }: Period) =>
    (confirmed.get(usdot) ?? Number.POSITIVE_INFINITY) < startedMs;
  const mayMiss = (usdot: string, { finishedMs }: Period) =>
    (asked.get(usdot) ?? Number.POSITIVE_INFINITY) < finishedMs;

  return {
    versions,
    newest: () => {
      const byFeed = new Map<string, Version>();
      for (const version of versions.values()) byFeed.set(version.feed, version);
      return [...byFeed.values()];
    },
    learn: async (url) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        const { rows } = await client.query<{ id: string; feed: string; asOf: string }>(
          `SELECT id, feed_code AS feed, as_of::text AS "asOf" FROM feed_version ORDER BY id`,
        );
        for (const { id, feed, asOf } of rows) {
          if (versions.has(Number(id))) continue;
          versions.set(Number(id), await readVersion(client, { id: Number(id), feed, asOf }));
        }
      } finally {
        await client.end();
      }
    },
    // A business may be asked for again: the first time counts.
    noteAsked: (usdot) => void asked.set(usdot, asked.get(usdot) ?? performance.now()),
    noteConfirmed: (usdot) => void confirmed.set(usdot, confirmed.get(usdot) ?? performance.now()),
    forget: (usdot) => void confirmed.delete(usdot),
    confirmed: () => confirmed,
    isKnownToBeRemoved: (usdot, at) => mayMiss(usdot, at),
    faultOfRecord: (feed, asOf, record, at) => {
      const form = formOf(record);
      const holders = [...versions.values()].filter(
        (version) => version.feed === feed && version.asOf === asOf && version.indexByJson.has(form),
      );
      if (holders.length === 0) return `a record that no version of ${feed} as of ${asOf} has`;
      const usdot = String((record as { dot_number: string }).dot_number);
      return mustMiss(usdot, at) ? `the removed business ${usdot}` : null;
    },
    faultOfRows: (version, indexes, at, { isWhole, state }) => {
      const isWanted = (row: Row) => state === undefined || row.state === state;
      const name = `version ${version.id} of ${version.feed}`;
      let last = isWhole ? -1 : null;
      for (const index of isWhole ? [...indexes, version.rows.length] : indexes) {
        if (index === undefined) return `a row that ${name} does not have`;
        if (last !== null && index <= last) return `a row of ${name} twice or out of order`;
        const lacked = last === null ? [] : version.rows.slice(last + 1, index).filter(isWanted);
        const missing = lacked.find(({ usdot }) => !mayMiss(usdot, at));
        if (missing) return `${name} without its row of ${missing.usdot}`;
        const row = version.rows[index];
        if (row && !isWanted(row)) return `a row of another state than ${state}`;
        if (row && mustMiss(row.usdot, at)) return `the removed business ${row.usdot}`;
        last = index;
      }
      return null;
    },
  };
}

async function readVersion(
  client: pg.Client,
  version: Pick<Version, "id" | "feed" | "asOf">,
): Promise<Version> {
  const { rows } = await client.query<Row>(
    `SELECT usdot::text, state, json, csv FROM published.feed_${version.id} ORDER BY pos`,
  );
  const indexByJson = new Map(rows.map(({ json }, index) => [formOf(JSON.parse(json)), index]));
  return { ...version, rows, indexByJson };
}
