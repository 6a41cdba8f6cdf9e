import { chmod, mkdir } from "node:fs/promises";

/**
 * Where root keeps what the server's user can't reach in the project's own folders, for example under a home that
 * nobody else may enter. Not a temporary folder: those are emptied, and this holds data.
 */
const SHARED_FOLDER = "/var/lib/trucking-data-feed";

/** Gives that folder, made if missing; anyone may enter it whatever the umask, only root writes there. */
export async function sharedFolder(): Promise<string> {
  await mkdir(SHARED_FOLDER, { recursive: true });
  await chmod(SHARED_FOLDER, 0o755);
  return SHARED_FOLDER;
}
