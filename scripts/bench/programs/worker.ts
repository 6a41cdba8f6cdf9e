import { fork } from "node:child_process";
import path from "node:path";
import type { Bench } from "../frame/bench.ts";

/** A process of the benchmark itself: a load, a receiver, a bare limit. */
export interface Worker<Job> {
  pid: number;
  ask<Answer>(job: Job): Promise<Answer>;
  stop(): void;
}

interface Waiting {
  resolve(answer: never): void;
  reject(error: Error): void;
}

/** Starts one of `processes`; it ends with the run at the latest. */
export function startWorker<Job>(bench: Bench, file: string): Worker<Job> {
  bench.interruption.throwIfAborted();
  const child = fork(path.join(import.meta.dirname, "processes", file), { env: {} });
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  child.on("message", ({ id, answer, error }: { id: number; answer: never; error?: string }) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asker?.resolve(answer);
    else asker?.reject(new Error(`${file}: ${error}`));
  });
  child.on("exit", () => {
    for (const asker of waiting.values()) asker.reject(new Error(`${file} ended before it answered.`));
  });
  const stop = () => {
    child.kill();
  };
  bench.ending.defer(stop);
  return {
    pid: child.pid ?? 0,
    ask: <Answer>(job: Job) => {
      const answer = new Promise<Answer>((resolve, reject) => {
        const id = ++asked;
        waiting.set(id, { resolve, reject });
        child.send({ id, job });
      });
      // Whoever waits for the answer gets the error. A measure that failed before does not wait for it any more.
      answer.catch(() => {});
      return answer;
    },
    stop,
  };
}
