import { on } from "node:events";
import { Worker } from "node:worker_threads";
import type { Dataset } from "../../registry/datasets.ts";
import { Refusal } from "../read/refusal.ts";
import type { DatasetInput } from "../recognise/dataset-inputs.ts";
import { type ReadBlock, readInput } from "./stage-file.ts";

/** A file that the thread reads. It finds the official file itself, since functions cannot be sent. */
export interface ReadingJob {
  input: Omit<Extract<DatasetInput, { kind: "csv" }>, "official">;
  dataset: Dataset;
  today: string;
  isDifference: boolean;
}

/** What the thread sends when it is asked for the next block. */
export type ReadingAnswer = ReadBlock | { refusal: string; checkNames: readonly string[] };

/** The thread takes 0.1 to 0.2 s to start. In that time as much is read without it. */
const LARGE_BYTES = 8 * 1024 * 1024;

/** The thread reads on while the database writes. More blocks would only use more memory. */
const BLOCKS_AHEAD = 4;

/** Reads inputs one after the other, large ones in a thread of its own. */
export class ReadingThread {
  #worker: Worker | undefined;

  /** As `readInput` does. */
  read(input: DatasetInput, today: string, isDifference: boolean): AsyncGenerator<ReadBlock> {
    // The rows of JSON are in this thread's memory.
    if (input.kind === "json" || input.file.sizeBytes < LARGE_BYTES) {
      return readInput(input, today, isDifference);
    }
    const { official, ...sent } = input;
    return this.#readInThread({ input: sent, dataset: official.dataset, today, isDifference });
  }

  async *#readInThread(job: ReadingJob): AsyncGenerator<ReadBlock> {
    this.#worker ??= startWorker();
    const worker = this.#worker;
    const answers = on(worker, "message", { close: ["exit"] }) as AsyncIterable<[ReadingAnswer]>;
    worker.postMessage(job);
    for (let asked = 0; asked < BLOCKS_AHEAD; asked += 1) worker.postMessage("next");
    for await (const [answer] of answers) {
      if ("refusal" in answer) throw new Refusal(answer.refusal, ...answer.checkNames);
      yield answer;
      if (answer.findings) return;
      worker.postMessage("next");
    }
    throw new Error("The thread that reads files ended.");
  }

  /** Ends the thread, also while it reads. */
  async end(): Promise<void> {
    await this.#worker?.terminate();
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL("./reading-worker.ts", import.meta.url));
  // Who reads gets the error. After a failure elsewhere nobody does.
  worker.on("error", () => {});
  return worker;
}
