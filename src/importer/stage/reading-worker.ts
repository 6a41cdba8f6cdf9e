// Reads registry files in a thread of its own: src/importer/stage/reading-thread.ts starts it.
import { parentPort } from "node:worker_threads";
import { OFFICIAL_FILES } from "../official/official-files.ts";
import { Refusal } from "../read/refusal.ts";
import type { OfficialFile } from "../rows/official-file.ts";
import type { ReadingAnswer, ReadingJob } from "./reading-thread.ts";
import { type ReadBlock, readInput } from "./stage-file.ts";

let blocks: AsyncGenerator<ReadBlock> | undefined;

/** Begins a job, or answers with the next block of the job that was begun last. */
async function onMessage(job: ReadingJob | "next"): Promise<void> {
  if (job !== "next") {
    const official = OFFICIAL_FILES.find(({ dataset }) => dataset === job.dataset) as OfficialFile;
    blocks = readInput({ ...job.input, official }, job.today, job.isDifference);
    return;
  }
  try {
    const next = await blocks?.next();
    if (next && !next.done) answer(next.value, next.value.lines.buffer);
  } catch (error) {
    // Any other error ends the thread, and comes out of it with its stack.
    if (!(error instanceof Refusal)) throw error;
    answer({ refusal: error.message, checkNames: error.checkNames });
  }
}

const answer = (message: ReadingAnswer, ...given: ArrayBuffer[]): void =>
  parentPort?.postMessage(message, given);

parentPort?.on("message", onMessage);
