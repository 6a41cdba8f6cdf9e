import path from "node:path";
import { OperatorError } from "./operator-error.ts";

/** The program's settings, checked. Every one is listed with its default in the README. */
export interface Config {
  port: number;
  host: string;
  /** Null: the program starts a PostgreSQL of its own in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** The address customers use, without a trailing slash. */
  publicUrl: string;
  /** Where the official registry files are fetched from, without a trailing slash: the portal or a mirror of it. */
  registryUrl: string;
  logLevel: LogLevel;
}

/** The portal of the US Department of Transportation. */
const OFFICIAL_PORTAL = "https://data.transportation.gov";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment: the only place that does. */
export const readEnvironment = (): Environment => process.env;

/** Whether an npm script started this process. */
export const isRunByNpm = (environment: Environment): boolean =>
  environment.npm_lifecycle_event !== undefined;

/** Turns environment variables into settings; every mistake is named at once in one OperatorError. */
export function configFrom(environment: Environment): Config {
  const mistakes: string[] = [];
  const port = portFrom(environment.PORT, mistakes);
  const host = environment.HOST || "127.0.0.1";
  const config: Config = {
    port,
    host,
    databaseUrl: databaseUrlFrom(environment.DATABASE_URL, mistakes),
    dataDir: path.resolve(environment.DATA_DIR || ".data"),
    publicUrl: addressFrom("PUBLIC_URL", environment.PUBLIC_URL || `http://127.0.0.1:${port}`, mistakes),
    registryUrl: addressFrom("REGISTRY_URL", environment.REGISTRY_URL || OFFICIAL_PORTAL, mistakes),
    logLevel: logLevelFrom(environment.LOG_LEVEL, mistakes),
  };
  if (mistakes.length > 0) throw new OperatorError(`The configuration is not valid: ${mistakes.join("; ")}.`);
  return config;
}

function portFrom(text: string | undefined, mistakes: string[]): number {
  if (!text) return 3000;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  mistakes.push(`PORT must be a whole number from 0 to 65535, not "${text}"`);
  return 0;
}

function databaseUrlFrom(text: string | undefined, mistakes: string[]): string | null {
  if (!text) return null;
  // The value may hold a password: a mistake never repeats it.
  if (/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  mistakes.push("DATABASE_URL must look like postgresql://user:password@host:5432/database");
  return null;
}

function addressFrom(name: string, text: string, mistakes: string[]): string {
  const url = URL.parse(text);
  const isPlain = url !== null && !url.username && !url.search && !url.hash;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (isPlain && isSafe) return text.replace(/\/+$/, "");
  mistakes.push(`${name} must be an https address (http only for this machine itself) without user or query`);
  return "";
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);

function logLevelFrom(text: string | undefined, mistakes: string[]): LogLevel {
  const level = LOG_LEVELS.find((known) => known === (text || "info"));
  if (level) return level;
  mistakes.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}, not "${text}"`);
  return "info";
}
