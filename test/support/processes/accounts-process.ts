// A separate process that calls the accounts module many times at once, for tests over several processes. Arguments:
// database address, the fixed time of its clock, and the task as JSON. It prints "ready" when it is connected, starts
// at the first byte of its standard input, and prints its answers as JSON.
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { admit } from "../../../src/accounts/keys/admission.ts";
import type { Caller } from "../../../src/accounts/keys/caller.ts";
import { chargeRows } from "../../../src/accounts/usage/quota.ts";
import { ProblemError } from "../../../src/platform/http/problem.ts";
import { settableClock } from "../clock.ts";
import { openTestContext } from "../context.ts";
import type { ProcessTask } from "./accounts-processes.ts";

const [, , url = "", now = "", taskJson = ""] = process.argv;
const task = JSON.parse(taskJson) as ProcessTask;
const context = await openTestContext(url, settableClock(now));
process.stdout.write("ready\n");
await once(process.stdin, "data");

const asked: (() => Promise<string | boolean>)[] =
  task.kind === "admit"
    ? Array<() => Promise<string>>(task.times).fill(() => admitOnce(task.key))
    : task.rows.map((rows) => () => chargeOnce(task, rows));
const answers = await Promise.all(
  asked.map(async (ask, index) => {
    // In batches of ten, so that statements of one process run concurrently, too.
    for (let tick = 0; tick < index / 10; tick++) await setImmediate();
    return ask();
  }),
);
process.stdout.write(JSON.stringify(answers));
process.stdin.destroy();
await context.db.close();

async function admitOnce(key: string): Promise<string> {
  return (await admit(context, key)).outcome;
}

async function chargeOnce(account: { accountId: number; limit: number }, rows: number): Promise<boolean> {
  const caller = { accountId: account.accountId, rowsPerMonth: account.limit } as Caller;
  try {
    await chargeRows(context, caller, "api", rows);
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.code === "quota_exceeded") return false;
    throw error;
  }
}
