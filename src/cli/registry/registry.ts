import { Command } from "commander";
import { type DownloadProgress, downloadRegistry } from "../../importer/download/download.ts";
import { configFrom, readEnvironment } from "../../platform/config/config.ts";
import { folderFrom } from "../terminal/arguments.ts";
import { count, table } from "../terminal/print.ts";
import { type Progress, progressDisplay } from "../terminal/progress.ts";
import { printing } from "../terminal/reporting.ts";
import { registryGenerateCommand } from "./registry-generate.ts";

export function registryCommand(): Command {
  return new Command("registry")
    .description("Registry files: fetch the official ones, or write made-up ones in their formats")
    .addCommand(registryDownloadCommand())
    .addCommand(registryGenerateCommand());
}

interface Options {
  out: string;
  only: string[];
  difference?: boolean;
}

const HELP = `
Fetches one file after the other: Motus, the census and, if they are missing, the frozen legacy files. A broken download
continues where it stopped. A file that did not change on the portal is not fetched again. All files take some hours.
manifest.json lists the files with their SHA-256 and times; an import compares them with it.

Examples:
  registry download --out registry                        # the full files, some 3 GB
  registry download --out today --difference              # what changed in Motus since yesterday
  registry download --out registry --only motus_carrier motus_authhist`;

const registryDownloadCommand = (): Command =>
  printing(
    new Command("download")
      .description("fetch the official registry files")
      .requiredOption("--out <dir>", "folder to write into; it is created if missing")
      .option("--only <dataset...>", "only these; legacy ones are fetched again", [])
      .option("--difference", "the daily differences of Motus; use a separate folder")
      .addHelpText("after", HELP),
    async ({ out, only, difference = false }: Options) => {
      const { show, end } = progressDisplay();
      try {
        const { registryUrls, registryAppToken } = configFrom(readEnvironment());
        const files = await downloadRegistry({
          outDir: folderFrom("--out", out),
          portalUrls: registryUrls,
          appToken: registryAppToken,
          only,
          isDifference: difference,
          onProgress: (progress) => showDownload(progress, show),
        });
        const cells = files.map(({ file, id, sizeBytes, outcome }) => [file, id, sizeBytes, outcome]);
        return { value: files, lines: table(["file", "id", "bytes", ""], cells) };
      } finally {
        end();
      }
    },
  );

/** Where there is no bar, each wait has a line of its own. */
function showDownload(progress: DownloadProgress, show: (progress: Progress) => void): void {
  if (progress.step === "done") return;
  const what = `fetching ${progress.file}`;
  if (progress.step === "wait") {
    const wait = `${progress.why}; trying again in ${Math.ceil(progress.waitMs / 1000)} s`;
    if (process.stderr.isTTY) show({ what, detail: wait });
    else process.stderr.write(`${progress.file}: ${wait}\n`);
    return;
  }
  const { receivedBytes, sizeBytes } = progress;
  const detail = `${count(Math.round(receivedBytes / 100_000) / 10)} MB`;
  // Socrata often sends no length. The bar then shows only the bytes.
  if (sizeBytes === null) show({ what, done: 0, total: receivedBytes + 1, detail });
  else show({ what, done: receivedBytes, total: sizeBytes, detail });
}
