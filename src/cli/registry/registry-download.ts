import { resolve } from "node:path";
import { SingleBar } from "cli-progress";
import { Command } from "commander";
import { type DownloadProgress, downloadRegistry } from "../../importer/download/download.ts";
import { configFrom, readEnvironment } from "../../platform/config/config.ts";
import { count, print, table } from "../print.ts";

interface Options {
  out: string;
  only: string[];
  difference?: true;
  json?: true;
}

const HELP = `
Fetches one file after the other: Motus, the census and, if they are missing, the frozen legacy files. A broken download
continues where it stopped. A file that did not change on the portal is not fetched again. All files take some hours.

Examples:
  registry download --out registry                        # the full files, some 3 GB
  registry download --out today --difference              # what changed in Motus since yesterday
  registry download --out registry --only motus_carrier motus_authhist`;

export function registryDownloadCommand(): Command {
  return new Command("download")
    .description("fetch the official registry files")
    .requiredOption("--out <dir>", "folder to write into; it is created if missing")
    .option("--only <dataset...>", "only these; legacy ones are fetched again", [])
    .option("--difference", "the daily differences of Motus; use a separate folder")
    .option("--json", "print the fetched files as JSON")
    .addHelpText("after", HELP)
    .action(run);
}

async function run(options: Options): Promise<void> {
  const progress = progressDisplay();
  try {
    const files = await downloadRegistry({
      outDir: resolve(options.out),
      portalUrl: configFrom(readEnvironment()).registryUrl,
      only: options.only,
      isDifference: options.difference ?? false,
      onProgress: progress.show,
    });
    progress.end();
    print(files, options, () =>
      table(
        ["file", "id", "bytes", ""],
        files.map(({ file, id, sizeBytes, outcome }) => [file, id, sizeBytes, outcome]),
      ),
    );
  } finally {
    progress.end();
  }
}

/** Shows progress on standard error: a bar for each file on a terminal, otherwise a line for each file and each wait. */
function progressDisplay(): { show(progress: DownloadProgress): void; end(): void } {
  const stream = process.stderr;
  if (!stream.isTTY) return { show: plainLine(), end: () => {} };
  const format = "{file} {bar} {percentage}%  {received}{why}";
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true });
  let current = "";
  return {
    show: (progress) => {
      if (progress.step === "done") return;
      if (progress.file !== current) {
        bar.stop();
        bar.start(1, 0, { file: progress.file, received: "", why: "" });
        current = progress.file;
      }
      if (progress.step === "wait") return bar.update({ why: `, ${waitText(progress)}` });
      // Socrata often sends no length. The bar then shows only the bytes.
      bar.setTotal(progress.sizeBytes ?? progress.receivedBytes + 1);
      const value = progress.sizeBytes === null ? 0 : progress.receivedBytes;
      bar.update(value, { received: megabytes(progress.receivedBytes), why: "" });
    },
    end: () => bar.stop(),
  };
}

function plainLine(): (progress: DownloadProgress) => void {
  let current = "";
  return (progress) => {
    if (progress.step === "wait") process.stderr.write(`${progress.file}: ${waitText(progress)}\n`);
    if (progress.step === "receive" && progress.file !== current) {
      current = progress.file;
      process.stderr.write(`fetching ${current} …\n`);
    }
  };
}

const waitText = ({ why, waitMs }: { why: string; waitMs: number }): string =>
  `${why}; trying again in ${Math.ceil(waitMs / 1000)} s`;

const megabytes = (sizeBytes: number): string => `${count(Math.round(sizeBytes / 100_000) / 10)} MB`;
