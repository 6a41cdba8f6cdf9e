import { randomBytes, randomUUID } from "node:crypto";
import { chown, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { prepareDataDir } from "../config/data-dir.ts";
import type { Log } from "../log.ts";
import { OperatorError } from "../operator-error.ts";
import { type Binaries, binariesFor } from "./binaries.ts";
import { isAlive } from "./postmaster.ts";
import {
  canWrite,
  runAs,
  type ServerUser,
  sharedFolder,
  userForNewCluster,
  userOfCluster,
} from "./server-user.ts";

/** The embedded server's database and its only role, a superuser of this one cluster. */
export const EMBEDDED_NAME = "tdf";

/** An initialised cluster. `folder` holds the password, the server's log and the data folder. */
export interface Cluster {
  folder: string;
  dataFolder: string;
  password: string;
  user: ServerUser;
  binaries: Binaries;
}

/** Opens the cluster of a DATA_DIR; creates it the first time. `isDurable: false` is for tests. */
export async function openCluster(dataDir: string, log: Log, isDurable: boolean): Promise<Cluster> {
  await prepareDataDir(dataDir);
  const home = await realpath(dataDir);
  const folder = (await findCluster(home)) ?? (await createCluster(home, log, isDurable));
  const user = await userOfCluster(folder, dataFolderIn(folder));
  const password = await readFile(path.join(folder, "password"), "utf8");
  return { folder, dataFolder: dataFolderIn(folder), password, user, binaries: await binariesFor(user) };
}

const dataFolderIn = (folder: string) => path.join(folder, "data");

/** Initialises a cluster under another name and renames it, so that a killed or second start leaves no incomplete one. */
async function createCluster(home: string, log: Log, isDurable: boolean): Promise<string> {
  const user = await userForNewCluster();
  await removeDraftsOfEnded(home);
  const draft = `${homeFolder(home)}.${process.pid}.new`;
  await makeFolder(draft, user);
  if (await canWrite(user, draft)) {
    await initialise(draft, user, isDurable);
    const isOurs = await renameInto(draft, homeFolder(home));
    if (isOurs) log.info({ folder: homeFolder(home) }, "Made a PostgreSQL cluster.");
    return homeFolder(home);
  }
  await rm(draft, { recursive: true });
  const folder = path.join(await sharedFolder(), `postgres-${randomUUID()}`);
  await makeFolder(folder, user);
  await initialise(folder, user, isDurable);
  await writeFile(ownerFile(folder), home);
  try {
    await writeFile(pointerFile(home), folder, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await rm(folder, { recursive: true });
    return readFile(pointerFile(home), "utf8");
  }
  log.info(
    { folder },
    "Made a PostgreSQL cluster outside of DATA_DIR, which the server's user may not enter.",
  );
  return folder;
}

/** A start that was killed meanwhile leaves its draft. */
async function removeDraftsOfEnded(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const [, pid] = /^postgres\.(\d+)\.new$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(path.join(home, name), { recursive: true, force: true });
  }
}

async function makeFolder(folder: string, user: ServerUser): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
}

async function initialise(folder: string, user: ServerUser, isDurable: boolean): Promise<void> {
  const { initdb } = await binariesFor(user);
  const passwordFile = path.join(folder, "password");
  await writeFile(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  const args = [
    "--pgdata",
    dataFolderIn(folder),
    "--username",
    EMBEDDED_NAME,
    "--pwfile",
    passwordFile,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    ...(isDurable ? [] : ["--no-sync"]),
  ];
  try {
    await runAs(user, initdb, args);
  } catch (error) {
    await rm(folder, { recursive: true });
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw refusal("could not be initialised", path.dirname(folder), said, error);
  }
}

async function renameInto(draft: string, target: string): Promise<boolean> {
  try {
    await rename(draft, target);
    return true;
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    await rm(draft, { recursive: true });
    return false;
  }
}

/** The cluster's folder, when the server's user can enter DATA_DIR. */
const homeFolder = (home: string) => path.join(home, "postgres");

/** The file that names the cluster's folder when it is outside of DATA_DIR. */
const pointerFile = (home: string) => path.join(home, "postgres-location");

/** The file in such a folder that names its DATA_DIR. */
const ownerFile = (folder: string) => path.join(folder, "data-dir");

/** The cluster's folder of a DATA_DIR; null before the first start. */
export async function findCluster(home: string): Promise<string | null> {
  if (await stat(homeFolder(home)).catch(ifMissing)) return homeFolder(home);
  const folder = await readFile(pointerFile(home), "utf8").catch(ifMissing);
  if (folder === null) return null;
  if (!(await stat(folder).catch(ifMissing))) {
    throw new OperatorError(
      `The database that ${pointerFile(home)} names, ${folder}, does not exist. Restore it, or remove that file to start with an empty one.`,
    );
  }
  await refuseCopy(home, folder);
  return folder;
}

/** A DATA_DIR may be moved. A copy is refused, because it would share the original's database. */
async function refuseCopy(home: string, folder: string): Promise<void> {
  const owner = await readFile(ownerFile(folder), "utf8");
  if (owner === home) return;
  if ((await readFile(pointerFile(owner), "utf8").catch(() => null)) === folder) {
    throw new OperatorError(
      `${home} is a copy of ${owner} and would use the same database. Remove ${pointerFile(home)} to start with an empty one.`,
    );
  }
  await writeFile(ownerFile(folder), home);
}

const ifMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === "ENOENT") return null;
  throw error;
};

const DISK_FULL = /No space left on device|Disk quota exceeded/;

/** Causes that an operator can solve, by the server's words. These are stable, because lc_messages is C. */
const REMEDIES: readonly [RegExp, string][] = [
  [DISK_FULL, "its disk is full: free some space"],
  [
    /could not look up effective user ID/,
    "its user has a number but no name here: start with a user of /etc/passwd, or set DATABASE_URL",
  ],
  [/Read-only file system/, "its file system can only be read: name another folder in DATA_DIR"],
  [
    /Permission denied|Operation not permitted|has wrong ownership|has invalid permissions/,
    "it holds files that its server may not use: give the folder back to its owner (chown -R, chmod -R go-rwx)",
  ],
];

/** An error of one line for a cause that an operator can solve; otherwise one with everything PostgreSQL said. */
export function refusal(what: string, folder: string, said: string, cause?: unknown): OperatorError {
  const [words, remedy] = REMEDIES.find(([pattern]) => pattern.test(said)) ?? [];
  if (!words) return new OperatorError(`The embedded PostgreSQL ${what}: ${said}`, { cause });
  const line = said.split("\n").find((each) => words.test(each)) ?? "";
  const reason = line.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*/, "").trim();
  return new OperatorError(
    `The embedded PostgreSQL can't use ${folder}, since ${remedy}. It said: ${reason}.`,
    { cause, solution: words === DISK_FULL ? "later" : "another-call" },
  );
}
