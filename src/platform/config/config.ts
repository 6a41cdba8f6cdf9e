import path from "node:path";
import { mailAddressFrom } from "../mail/address.ts";
import { OperatorError } from "../operator-error.ts";
import * as setting from "./settings.ts";

/** The program's settings, checked. docs/operating/configuration.md lists them with their defaults. */
export interface Config {
  port: number;
  host: string;
  /** The port for metrics and health alone. Null: they are served on `port`. */
  adminPort: number | null;
  /** Null: the program starts a PostgreSQL of its own in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** The address customers use, without a trailing slash. */
  publicUrl: string;
  /** Where the official registry files are fetched from, without a trailing slash: the portal or a mirror of it. */
  registryUrl: string;
  /** Keys of 32 bytes that secrets are sealed with: the first seals, all of them open. Empty: none is named. */
  secretsKeys: readonly Buffer[];
  /** Null: mails are written as .eml files under `dataDir`/mail. */
  smtpUrl: string | null;
  /** What stands in From of every mail. */
  mailFrom: string;
  /** Where customers reach the operator, as the dashboard says it; null: nowhere that it could name. */
  contactEmail: string | null;
  /** How many proxies in front add to X-Forwarded-For: exactly so many of its last entries are believed. */
  trustProxyHops: number;
  /** Address ranges that deliveries may reach although they are not public, in CIDR form. */
  webhookAllowedCidrs: readonly string[];
  /** How long after each failed attempt the next one is due; a delivery has one attempt more than entries. */
  webhookRetrySeconds: readonly number[];
  /** How many deliveries one dispatcher has in flight at once. */
  webhookConcurrency: number;
  /** How many removal requests a client address may send a minute. */
  optOutPerMinute: number;
  logLevel: setting.LogLevel;
}

export type { LogLevel } from "./settings.ts";

/** The portal of the US Department of Transportation. */
const OFFICIAL_PORTAL = "https://data.transportation.gov";

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment: the only place that does. */
export const readEnvironment = (): Environment => process.env;

/** Whether an npm script started this process. */
export const isRunByNpm = (environment: Environment): boolean =>
  environment.npm_lifecycle_event !== undefined;

/** Turns environment variables into settings; every mistake is named at once in one OperatorError. */
export function configFrom(environment: Environment): Config {
  const mistakes: string[] = [];
  const wholeNumber = (name: string, byDefault: number, least: number, most: number) =>
    setting.wholeNumberFrom(name, environment[name], { byDefault, least, most }, mistakes);
  const address = (name: string, byDefault: string) =>
    setting.addressFrom(name, environment[name] || byDefault, mistakes);
  const port = wholeNumber("PORT", 3000, 0, 65_535);
  const config: Config = {
    port,
    host: environment.HOST || "127.0.0.1",
    adminPort: environment.ADMIN_PORT ? wholeNumber("ADMIN_PORT", 0, 0, 65_535) : null,
    databaseUrl: setting.databaseUrlFrom(environment.DATABASE_URL, mistakes),
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
    optOutPerMinute: wholeNumber("OPT_OUT_PER_MINUTE", 10, 1, 10_000),
    logLevel: setting.logLevelFrom(environment.LOG_LEVEL, mistakes),
  };
  if (config.adminPort === port && port !== 0) mistakes.push("ADMIN_PORT must be another port than PORT");
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
