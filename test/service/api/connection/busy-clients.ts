// A thread of clients that each send one request after the other, until one finds nobody who listens. It says that all got an
// answer, and in the end by which errors requests failed.
import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const CLIENTS = 32;
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
const faults = new Set<string>();
let answers = 0;

const ask = () =>
  new Promise<void>((resolve) => {
    const failed = ({ code = "" }: NodeJS.ErrnoException) => {
      faults.add(code);
      resolve();
    };
    get(workerData as string, { agent }, (answer) => {
      answer.once("error", failed).once("end", resolve).resume();
      answers += 1;
      if (answers === CLIENTS) parentPort?.postMessage("answered");
    }).once("error", failed);
  });

const busy = async () => {
  while (!faults.has("ECONNREFUSED")) await ask();
};
await Promise.all(Array.from({ length: CLIENTS }, busy));
parentPort?.postMessage([...faults]);
