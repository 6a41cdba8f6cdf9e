import path from "node:path";
import type { Config } from "../context.ts";
import { mailAddressFrom } from "../mail/address.ts";
import { OperatorError } from "../operator-error.ts";
import * as setting from "./settings.ts";

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
  const from = <T>(
    name: string,
    parse: (name: string, text: string | undefined, mistakes: string[]) => T,
  ): T => parse(name, environment[name], mistakes);
  const port = wholeNumber("PORT", 3000, 0, 65_535);
  const config: Config = {
    port,
    host: environment.HOST || "127.0.0.1",
    adminPort: environment.ADMIN_PORT ? wholeNumber("ADMIN_PORT", 0, 0, 65_535) : null,
    databaseUrl: from("DATABASE_URL", setting.databaseUrlFrom),
    databaseDirectUrl: from("DATABASE_DIRECT_URL", setting.databaseUrlFrom),
    databaseReadUrl: from("DATABASE_READ_URL", setting.databaseUrlFrom),
    testModeDatabaseUrl: from("TEST_MODE_DATABASE_URL", setting.databaseUrlFrom),
    namesStatements: from("DATABASE_STATEMENT_NAMES", setting.isOnFrom),
    dataDir: path.resolve(environment.DATA_DIR || ".data"),
    publicUrl: address("PUBLIC_URL", `http://127.0.0.1:${port}`),
    registryUrls: (environment.REGISTRY_URL || OFFICIAL_PORTAL)
      .split(",")
      .map((text) => setting.addressFrom("REGISTRY_URL", text, mistakes)),
    registryAppToken: from("REGISTRY_APP_TOKEN", setting.headerValueFrom),
    secretsKeys: setting.secretsKeysFrom(environment.SECRETS_KEY, mistakes),
    smtpUrl: setting.smtpUrlFrom(environment.SMTP_URL, mistakes),
    mailFrom: mailFrom(environment, mistakes),
    contactEmail: from("CONTACT_EMAIL", setting.mailAddressSettingFrom),
    operatorEmail: from("OPERATOR_EMAIL", setting.mailAddressSettingFrom),
    termsFile: pathFrom(environment.TERMS_FILE),
    privacyFile: pathFrom(environment.PRIVACY_FILE),
    trustProxyHops: wholeNumber("TRUST_PROXY_HOPS", 0, 0, 10),
    webhookAllowedCidrs: from("WEBHOOK_ALLOWED_CIDRS", setting.cidrsFrom),
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
    operator: from("OPERATOR", setting.operatorFrom),
    logLevel: setting.logLevelFrom(environment.LOG_LEVEL, mistakes),
    otlpEndpoint: from("OTEL_EXPORTER_OTLP_ENDPOINT", setting.receiverFrom),
  };
  mistakes.push(...contradictionsIn(config, environment));
  if (mistakes.length > 0) {
    // Two addresses of one setting may have the same mistake.
    throw new OperatorError(`The configuration is not valid: ${[...new Set(mistakes)].join("; ")}.`);
  }
  return config;
}

const pathFrom = (text: string | undefined): string | null => (text ? path.resolve(text) : null);

/** The settings that exclude each other, a sentence each. */
function contradictionsIn({ port, adminPort, retentionDays }: Config, environment: Environment): string[] {
  const { deliveries, events } = retentionDays;
  return [
    ...(adminPort === port && port !== 0 ? ["ADMIN_PORT must be another port than PORT"] : []),
    ...(deliveries > events
      ? [`RETENTION_DELIVERIES_DAYS (${deliveries}) must not be more than RETENTION_EVENTS_DAYS (${events})`]
      : []),
    ...["DATABASE_DIRECT_URL", "DATABASE_READ_URL"].flatMap((name) =>
      environment[name] && !environment.DATABASE_URL ? [`${name} requires DATABASE_URL`] : [],
    ),
  ];
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
