import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readEnvironment } from "../../../src/platform/config/config.ts";

/** Versions of PostgreSQL's own clients; null when not on this machine. */
export interface Clients {
  psql: string | null;
  pgbench: string | null;
}

export const findClients = async (): Promise<Clients> => ({
  psql: await versionOf("psql"),
  pgbench: await versionOf("pgbench"),
});

const versionOf = (program: string): Promise<string | null> =>
  promisify(execFile)(program, ["--version"]).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );

/**
 * The environment by which PostgreSQL's clients find a database: a password on the command line would be visible to
 * all.
 */
export function clientEnvironment(databaseUrl: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const sslMode = searchParams.get("sslmode");
  return {
    PATH: readEnvironment().PATH,
    LC_ALL: "C",
    PGHOST: searchParams.get("host") ?? hostname.replace(/^\[|\]$/g, ""),
    PGPORT: port || "5432",
    PGDATABASE: pathname.slice(1),
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    ...(sslMode === null ? {} : { PGSSLMODE: sslMode }),
    // As in every session of the program.
    PGOPTIONS: "-c TimeZone=UTC -c jit=off",
  };
}
