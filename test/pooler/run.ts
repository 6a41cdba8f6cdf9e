// `npm run test:pooler`: the tests of the API over HTTP, with PgBouncer in transaction mode between the service and its
// database. Without an argument, with a new PgBouncer and an old one of Debian's packages.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { OperatorError } from "../../src/platform/operator-error.ts";
import { openServer } from "../support/database/postgres.ts";
import { administer } from "../support/database.ts";
import {
  type PgBouncer,
  pgBouncerAt,
  pgBouncerOfDebian,
  roleSettingsOfPage,
  startPgBouncer,
} from "./pgbouncer.ts";

const TESTS = ["test/service/api", "test/service/feeds/versions"];

/** Debian releases: the first has a PgBouncer that knows names of prepared statements, the second has not. */
const RELEASES = ["forky", "bookworm"];

const ROOT = path.join(import.meta.dirname, "../..");
const VITEST = path.join(ROOT, "node_modules/vitest/vitest.mjs");

async function runThrough(bouncer: PgBouncer, url: string): Promise<boolean> {
  const names = bouncer.knowsNames ? "on" : "off";
  console.log(`PgBouncer ${bouncer.version}, DATABASE_STATEMENT_NAMES=${names}`);
  const running = await startPgBouncer(bouncer, url);
  try {
    const child = spawn(process.execPath, [VITEST, "run", "--project", "service", ...TESTS], {
      cwd: ROOT,
      stdio: "inherit",
      env: {
        ...process.env,
        TEST_DATABASE_URL: url,
        TEST_POOLER: running.address,
        TEST_POOLER_NAMES: names,
      },
    });
    const [code] = await once(child, "exit");
    return code === 0;
  } finally {
    await running.stop();
  }
}

try {
  const [given] = process.argv.slice(2);
  const bouncers = given === undefined ? RELEASES.map(pgBouncerOfDebian) : [pgBouncerAt(given)];
  const found = await Promise.all(bouncers);
  const server = await openServer(undefined);
  try {
    const role = decodeURIComponent(new URL(server.url).username);
    const settings = await roleSettingsOfPage();
    for (const setting of settings) await administer(server.url, `ALTER ROLE ${role} ${setting}`);
    for (const bouncer of found) if (!(await runThrough(bouncer, server.url))) process.exitCode = 1;
  } finally {
    await server.stop();
  }
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
