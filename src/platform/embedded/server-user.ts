import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { OperatorError } from "../operator-error.ts";

const execute = promisify(execFile);

/** Whom the server runs as. Null: as ourselves, who are not root. PostgreSQL refuses to run as root. */
export type ServerUser = { uid: number; gid: number } | null;

/** Nothing of our own environment reaches PostgreSQL's programs: PG… variables and locales would change them. */
export const SERVER_ENVIRONMENT = process.platform === "win32" ? {} : { env: { LC_ALL: "C", TZ: "UTC" } };

const isRoot = (): boolean => process.getuid?.() === 0;

/** The user for a new cluster: where we are root, `postgres` or else `nobody`; OperatorError where neither exists. */
export async function userForNewCluster(): Promise<ServerUser> {
  if (!isRoot()) return null;
  for (const name of ["postgres", "nobody"]) {
    const ids = await Promise.all([idOf("-u", name), idOf("-g", name)]).catch(() => null);
    if (ids) return { uid: ids[0], gid: ids[1] };
  }
  throw new OperatorError(
    "PostgreSQL can't run as root, and this machine has neither a user postgres nor nobody; add one, start as another user, or set DATABASE_URL.",
  );
}

/** The user for a cluster that exists: whoever owns it, when we are root. */
export async function userOfCluster(folder: string): Promise<ServerUser> {
  if (!isRoot()) return null;
  const { uid, gid } = await stat(folder);
  return { uid, gid };
}

/** Runs a program to its end as that user; rejects, with what it said, when it fails or can't be started. */
export async function runAs(user: ServerUser, program: string, args: string[]): Promise<void> {
  const options = { ...SERVER_ENVIRONMENT, ...user, cwd: "/", encoding: "utf8" as const };
  await execute(program, args, options);
}

/** Whether that user can enter a folder and write there. Asked of the system itself: it knows of ACLs and the like. */
export const canWrite = (user: ServerUser, folder: string): Promise<boolean> =>
  runAs(user, "/bin/sh", ["-c", 'test -w "$1" && test -x "$1"', "sh", folder]).then(
    () => true,
    () => false,
  );

async function idOf(flag: "-u" | "-g", name: string): Promise<number> {
  const { stdout } = await execute("id", [flag, name]);
  return Number(stdout.trim());
}
