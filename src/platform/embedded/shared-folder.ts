import { chmod, mkdir } from "node:fs/promises";

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
