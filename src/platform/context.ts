import type pg from "pg";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { Clock } from "./clock.ts";
import type { Log, LogLevel } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Secrets } from "./secrets.ts";
import type { TestSituation } from "./test-situation.ts";

/** What comes from outside the program. A process makes it once; a test replaces the parts it needs. */
export interface Context<Db extends Database = Database> {
  config: Config;
  clock: Clock;
  log: Log;
  db: Db;
  metrics: Metrics;
  secrets: Secrets;
  /** Only of test mode, whose database is another one: the context of the live database. */
  live?: Context<Db>;
  /** Only of a request of test mode that asks for one. */
  situation?: TestSituation;
}

/**
 * The context of an entry point (src/api, src/mcp, src/pages, src/cli), which passes it on to the modules below. Code that uses
 * its `db` does not compile.
 */
export type EntryContext = Context<never>;

/** The context as entry points get it. */
export const entryContextOf = (context: Context): EntryContext => context as EntryContext;

/** The program's validated settings. docs/operating/configuration.md lists each one with its default. */
export interface Config {
  port: number;
  host: string;
  /** The port for metrics and health. Null: `port` serves them. */
  adminPort: number | null;
  /** Null: the program starts its own PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** The server itself, when `databaseUrl` leads to a pooler: for sessions of their own. Null: `databaseUrl`. */
  databaseDirectUrl: string | null;
  /** A standby from which versions of feeds are read. Null: `databaseUrl`. */
  databaseReadUrl: string | null;
  /** The database of test mode. Null: the one beside `databaseUrl`, with "_test" behind its name. */
  testModeDatabaseUrl: string | null;
  /** Whether statements are prepared under names, which old poolers don't know. */
  namesStatements: boolean;
  dataDir: string;
  /** The address customers use, without a trailing slash. */
  publicUrl: string;
  /** Where the official registry files are fetched from, without a trailing slash: the portal and mirrors of it. */
  registryUrls: readonly string[];
  /** The app token that is sent to the portal. Null: none. */
  registryAppToken: string | null;
  /** Keys of 32 bytes for sealing secrets. The first key seals, every key opens. Empty: SECRETS_KEY is not set. */
  secretsKeys: readonly Buffer[];
  /** Null: mails are written as .eml files under `dataDir`/mail. */
  smtpUrl: string | null;
  /** The sender of every mail. */
  mailFrom: string;
  /** The address where customers reach the operator, as the dashboard shows it. Null: none. */
  contactEmail: string | null;
  /** Where alarms and sign-in links to the operator's page are mailed. Null: nowhere. */
  operatorEmail: string | null;
  /** The operator's terms and privacy notice as Markdown files. Null: there is no such page. */
  termsFile: string | null;
  privacyFile: string | null;
  /** The number of proxies in front that add to X-Forwarded-For. Exactly that many of its last entries are trusted. */
  trustProxyHops: number;
  /** Address ranges (CIDR) that are not public but may receive deliveries. */
  webhookAllowedCidrs: readonly string[];
  /** The waits between the attempts of a delivery. A delivery has one attempt more than there are entries. */
  webhookRetrySeconds: readonly number[];
  /** The most deliveries that one dispatcher has in flight. */
  webhookConcurrency: number;
  /** For how many days rows are kept. */
  retentionDays: RetentionDays;
  /** A phone or e-mail that more active USDOT numbers file is shared, and left out of every record. */
  sharedContactLimit: number;
  /** The most removal requests of a client address in a minute. */
  optOutPerMinute: number;
  /** Who runs commands, as the log of operators names them. Null: the user of the system. */
  operator: string | null;
  logLevel: LogLevel;
  /** Where traces are sent by OTLP over HTTP, without a trailing slash. Null: nothing is traced. */
  otlpEndpoint: string | null;
}

/** For how many days the rows of tables that grow are kept; src/retention says which rows of which table. */
export interface RetentionDays {
  events: number;
  deliveries: number;
  usage: number;
  runs: number;
  mails: number;
  carrierChanges: number;
}

/** Access to PostgreSQL. Errors are those of pg and Prisma; `toDatabaseError` recognises the temporary ones. */
export interface Database {
  /** The database itself: another one only of code that must run inside of an open transaction. */
  base: Database;
  /** The address of the server itself, for connections of another kind and other databases. */
  url: string;
  /** For requests: a connection within 3 s or an error, at most 5 s per statement. */
  pool: pg.Pool;
  /**
   * For exports, imports and the like: few connections, statements without a time limit. A connection is a session of
   * its own, also when `pool` leads to a pooler.
   */
  bulkPool: pg.Pool;
  /** For connections that are held for hours, such as a dispatcher's; each is a session of its own too. */
  sessionPool: pg.Pool;
  /** Where versions of feeds may be read instead; null without DATABASE_READ_URL. */
  standby: Standby | null;
  /** Prisma on the connections of `pool`. */
  prisma: PrismaClient;
  /** Calls `run` in a transaction on `pool`: commits when it returns, rolls back when it throws. */
  transaction<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** The same on `bulkPool`. */
  bulkTransaction<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** `run` runs when the database is closed, before its connections are: for what was opened on its behalf. */
  onClose(run: () => Promise<void>): void;
  /** Waits for the connections in use, then closes all. */
  close(): Promise<void>;
}

/** The pools of one server. */
export interface Pools {
  /** For requests. */
  pool: pg.Pool;
  /** For statements without a time limit. */
  bulkPool: pg.Pool;
}

export interface Standby extends Pools {
  /** Whether it answered when it was last asked. */
  isUp(): boolean;
  /** Tells it of an error of its connections. When it did not answer, it is down until it answers again. */
  noteFailure(error: unknown): void;
  /** Counts a read of a version's rows that could be made there. */
  countRead(outcome: "read" | "down" | "lagging" | "failed"): void;
  /** Asks whether it answers. */
  ask(): Promise<void>;
  close(): Promise<void>;
}
