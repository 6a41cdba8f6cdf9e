import pg from "pg";
import * as sql from "../../generated/sql/platform/database.ts";
import type { Log } from "../log.ts";
import { hasLedger } from "./migrate.ts";
import { connectionTo } from "./pool.ts";
import type { Queryable } from "./statement.ts";
import { whenReachable } from "./when-reachable.ts";

/** An address, and the setting or option that holds it. */
export interface NamedAddress {
  setting: string;
  url: string;
}

/** How to ask a server. */
export interface Waits {
  log: Log;
  /** How long to wait for a server that does not answer yet. */
  connectTimeoutMs?: number | undefined;
}

/**
 * Whether two addresses lead to one database, however they are written and also through a pooler. OperatorError when one does
 * not answer in time.
 */
export async function isSameDatabase(one: NamedAddress, other: NamedAddress, waits: Waits): Promise<boolean> {
  const compare = async () => (await askWhere(one, waits)) === (await askWhere(other, waits));
  // The server may have started anew between the two answers.
  return (await compare()) || compare();
}

/**
 * Whether a database has the tables of this program, of whatever release, and is as `condition` asks. OperatorError when it does
 * not answer in time.
 */
export const isOfThisProgram = (
  address: NamedAddress,
  waits: Waits,
  condition: (client: Queryable) => Promise<boolean> = async () => true,
): Promise<boolean> => ask(address, waits, async (client) => (await hasLedger(client)) && condition(client));

/** Not that of a process: a pooler may keep the connection, and a restore counts those. */
const APPLICATION_NAME = "tdf address";

const askWhere = (address: NamedAddress, waits: Waits): Promise<string> =>
  ask(address, waits, async (client) => {
    const { name, serverStartedAt } = await sql.readPlace(client);
    return `${name} ${serverStartedAt}`;
  });

const ask = <T>(
  { setting, url }: NamedAddress,
  { log, connectTimeoutMs }: Waits,
  question: (client: pg.Client) => Promise<T>,
): Promise<T> =>
  whenReachable(
    async (leftMs) => {
      const client = new pg.Client({
        ...connectionTo(url),
        application_name: APPLICATION_NAME,
        connectionTimeoutMillis: Math.min(5_000, leftMs),
      });
      client.on("error", () => {});
      await client.connect();
      try {
        return await question(client);
      } finally {
        await client.end();
      }
    },
    log,
    connectTimeoutMs,
    setting,
  );
