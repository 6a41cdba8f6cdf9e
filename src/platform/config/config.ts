import path from "node:path";
import { mailAddressFrom } from "../mail/address.ts";
import { OperatorError } from "../operator-error.ts";
import * as setting from "./settings.ts";

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
  /** Whether statements are prepared under names, which old poolers don't know. */
  namesStatements: boolean;
  dataDir: string;
  /** The address customers use, without a trailing slash. */
  publicUrl: string;
  /** Where the official registry files are fetched from, without a trailing slash: the portal or a mirror of it. */
  registryUrl: string;
  /** Keys of 32 bytes for sealing secrets. The first key seals, every key opens. Empty: SECRETS_KEY is not set. */
  secretsKeys: readonly Buffer[];
  /** Null: mails are written as .eml files under `dataDir`/mail. */
  smtpUrl: string | null;
  /** The sender of every mail. */
  mailFrom: string;
  /** The address where customers reach the operator, as the dashboard shows it. Null: none. */
  contactEmail: string | null;
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
  logLevel: setting.LogLevel;
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

export type { LogLevel } from "./settings.ts";

/** A hundred years. */
const MOST_DAYS = 36_500;

/** The portal of the US Department of Transportation. */
const OFFICIAL_PORTAL = "https://data.transportation.gov";

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment. No other file does, which a test checks. */
export const readEnvironment = (): Environment => process.env;

/** Whether an npm script started this process. */
export const isRunByNpm = (environment: Environment): boolean =>
  environment.npm_lifecycle_event !== undefined;

/** Turns environment variables into settings. One OperatorError names every mistake. */
export function configFrom(environment: Environment): Config {
  const mistakes: string[] = [];
  const wholeNumber = (name: string, byDefault: number, least: number, most: number) =>
    setting.wholeNumberFrom(name, environment[name], { byDefault, least, most }, mistakes);
  const address = (name: string, byDefault: string) =>
    setting.addressFrom(name, environment[name] || byDefault, mistakes);
  const databaseUrl = (name: string) => setting.databaseUrlFrom(name, environment[name], mistakes);
  const port = wholeNumber("PORT", 3000, 0, 65_535);
  const config: Config = {
    port,
    host: environment.HOST || "127.0.0.1",
    adminPort: environment.ADMIN_PORT ? wholeNumber("ADMIN_PORT", 0, 0, 65_535) : null,
    databaseUrl: databaseUrl("DATABASE_URL"),
    databaseDirectUrl: databaseUrl("DATABASE_DIRECT_URL"),
    databaseReadUrl: databaseUrl("DATABASE_READ_URL"),
    namesStatements: setting.isOnFrom(
      "DATABASE_STATEMENT_NAMES",
      environment.DATABASE_STATEMENT_NAMES,
      mistakes,
    ),
    dataDir: path.resolve(environment.DATA_DIR || ".data"),
    publicUrl: address("PUBLIC_URL", `http://127.0.0.1:${port}`),
    registryUrl: address("REGISTRY_URL", OFFICIAL_PORTAL),
    secretsKeys: setting.secretsKeysFrom(environment.SECRETS_KEY, mistakes),
    smtpUrl: setting.smtpUrlFrom(environment.SMTP_URL, mistakes),
    mailFrom: mailFrom(environment, mistakes),
    contactEmail: setting.mailAddressSettingFrom("CONTACT_EMAIL", environment.CONTACT_EMAIL, mistakes),
    trustProxyHops: wholeNumber("TRUST_PROXY_HOPS", 0, 0, 10),
    webhookAllowedCidrs: setting.cidrsFrom(
      "WEBHOOK_ALLOWED_CIDRS",
      environment.WEBHOOK_ALLOWED_CIDRS,
      mistakes,
    ),
    webhookRetrySeconds: setting.secondsFrom(
      "WEBHOOK_RETRY_SECONDS",
      environment.WEBHOOK_RETRY_SECONDS || "60,600,3600,21600,86400",
      mistakes,
    ),
    webhookConcurrency: wholeNumber("WEBHOOK_CONCURRENCY", 100, 1, 1_000),
    retentionDays: {
      events: wholeNumber("RETENTION_EVENTS_DAYS", 730, 90, MOST_DAYS),
      deliveries: wholeNumber("RETENTION_DELIVERIES_DAYS", 90, 30, MOST_DAYS),
      usage: wholeNumber("RETENTION_USAGE_DAYS", 800, 400, MOST_DAYS),
      runs: wholeNumber("RETENTION_RUNS_DAYS", 730, 90, MOST_DAYS),
      mails: wholeNumber("RETENTION_MAILS_DAYS", 90, 35, MOST_DAYS),
      carrierChanges: wholeNumber("RETENTION_CARRIER_CHANGES_DAYS", 3_650, 365, MOST_DAYS),
    },
    sharedContactLimit: wholeNumber("SHARED_CONTACT_LIMIT", 5, 1, 1_000),
    optOutPerMinute: wholeNumber("OPT_OUT_PER_MINUTE", 10, 1, 10_000),
    logLevel: setting.logLevelFrom(environment.LOG_LEVEL, mistakes),
    otlpEndpoint: setting.receiverFrom(
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      environment.OTEL_EXPORTER_OTLP_ENDPOINT,
      mistakes,
    ),
  };
  if (config.adminPort === port && port !== 0) mistakes.push("ADMIN_PORT must be another port than PORT");
  const { deliveries, events } = config.retentionDays;
  if (deliveries > events) {
    mistakes.push(
      `RETENTION_DELIVERIES_DAYS (${deliveries}) must not be more than RETENTION_EVENTS_DAYS (${events})`,
    );
  }
  for (const name of ["DATABASE_DIRECT_URL", "DATABASE_READ_URL"]) {
    if (environment[name] && !environment.DATABASE_URL) mistakes.push(`${name} requires DATABASE_URL`);
  }
  if (mistakes.length > 0) throw new OperatorError(`The configuration is not valid: ${mistakes.join("; ")}.`);
  return config;
}

function mailFrom({ MAIL_FROM, SMTP_URL }: Environment, mistakes: string[]): string {
  if (!MAIL_FROM) {
    if (SMTP_URL) mistakes.push("MAIL_FROM must name the sender of mails when SMTP_URL is set");
    return "Trucking Data Feed <no-reply@localhost>";
  }
  if (mailAddressFrom(MAIL_FROM) !== null) return MAIL_FROM;
  mistakes.push(`MAIL_FROM must look like "Name <name@company.example>" or name@company.example`);
  return "";
}
