import { access, constants } from "node:fs/promises";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";

/** Names under which distributions install a browser of this kind. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The path of an installed browser, else of the one in a package; null when there is neither. */
async function findBrowser(): Promise<string | null> {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
  for (const file of NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))) {
    if (await canRun(file)) return file;
  }
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    return await packaged.executablePath();
  } catch {
    return null;
  }
}

const canRun = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/**
 * Starts a browser. Returns null, with a message, if there is none; then the tests must be skipped:
 * `describe.skipIf(browser === null)`.
 */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = await findBrowser();
  if (executablePath === null) {
    process.stderr.write("No browser was found: its tests are skipped. Install Chromium to run them.\n");
    return null;
  }
  return chromium.launch({ executablePath, args: FLAGS });
}
