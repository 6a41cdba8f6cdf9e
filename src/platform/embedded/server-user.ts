import { execFile } from "node:child_process";
import { chmod, mkdir, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { OperatorError } from "../operator-error.ts";

const execute = promisify(execFile);

/** The user that the server runs as. Null: the user of this process, which is not root. PostgreSQL refuses to run as root. */
export type ServerUser = { uid: number; gid: number } | null;

/** The environment of PostgreSQL's programs. Our own is not passed on: PG… variables and locales would change them. */
export const SERVER_ENVIRONMENT = process.platform === "win32" ? {} : { env: { LC_ALL: "C", TZ: "UTC" } };

const isRoot = (): boolean => process.getuid?.() === 0;

/** The user for a new cluster: if we are root, `postgres` or `nobody`. OperatorError when neither exists. */
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

/**
 * The user for an existing cluster: its owner, if we are root. OperatorError when its files belong to several users, to
 * root, or to another user than us. Then they were copied, or their owner was changed.
 */
export async function userOfCluster(folder: string, dataFolder: string): Promise<ServerUser> {
  const ourId = process.getuid?.();
  if (ourId === undefined) return null;
  const owner = await stat(folder);
  const canBeUsed = isRoot() ? owner.uid !== 0 : owner.uid === ourId;
  const inside = canBeUsed
    ? await Promise.all([dataFolder, `${folder}/password`].map((each) => stat(each)))
    : [];
  if (canBeUsed && inside.every(({ uid }) => uid === owner.uid)) {
    return isRoot() ? { uid: owner.uid, gid: owner.gid } : null;
  }
  const foreign = inside.find(({ uid }) => uid !== owner.uid)?.uid ?? owner.uid;
  const right = !isRoot() ? `${ourId}` : owner.uid !== 0 ? `${owner.uid}` : await newOwner();
  throw new OperatorError(
    `The database in ${folder} holds files of ${foreign === 0 ? "root" : `user ${foreign}`}, as whom PostgreSQL can't be started here. Give them back: chown -R ${right} ${folder}`,
  );
}

const newOwner = async (): Promise<string> => String((await userForNewCluster())?.uid);

/** Runs a program as that user until it ends. Rejects with its output when it fails or can't be started. */
export async function runAs(user: ServerUser, program: string, args: string[]): Promise<void> {
  const options = { ...SERVER_ENVIRONMENT, ...user, cwd: "/", encoding: "utf8" as const };
  await execute(program, args, options);
}

/** Whether that user can enter a folder and write there. The system decides, so that ACLs count. */
export const canWrite = (user: ServerUser, folder: string): Promise<boolean> =>
  succeeds(runAs(user, "/bin/sh", ["-c", 'test -w "$1" && test -x "$1"', "sh", folder]));

export const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  );

async function idOf(flag: "-u" | "-g", name: string): Promise<number> {
  const { stdout } = await execute("id", [flag, name]);
  return Number(stdout.trim());
}

/**
 * The folder for files that the server's user can't reach in the project's folders, for example below a home folder that
 * nobody else may enter. It holds data, so it is not a temporary folder, which the system empties.
 */
const SHARED_FOLDER = "/var/lib/trucking-data-feed";

/** Creates that folder if it is missing. Everybody may enter it, whatever the umask is; only root may write. */
export async function sharedFolder(): Promise<string> {
  await mkdir(SHARED_FOLDER, { recursive: true });
  await chmod(SHARED_FOLDER, 0o755);
  return SHARED_FOLDER;
}
