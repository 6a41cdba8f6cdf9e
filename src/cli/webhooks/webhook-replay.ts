import { createInterface } from "node:readline/promises";
import { Command } from "commander";
import type { EntryContext } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { countOf } from "../../platform/plural.ts";
import { countReplay, type ReplayCount, replay } from "../../webhooks/replay/replay.ts";
import { type AskedReplay, REPLAY_KINDS, type ReplayRefusal } from "../../webhooks/replay/replay-range.ts";
import { endpointIdFrom, timeFrom } from "../terminal/arguments.ts";
import { count } from "../terminal/print.ts";
import { changing } from "../terminal/reporting.ts";

interface Flags {
  from: string;
  to: string;
  delivered?: boolean;
  startedAt?: string;
  yes?: boolean;
}

const HELP = `
Sends the events that were detected in the range, if the endpoint's event types, its filters and its account's plan include
them. These are events that were never queued for it (it was paused, or did not exist), events whose delivery was cancelled
or failed, and events that wait for a retry. --delivered adds those that were delivered. Event and delivery keep their ids, and the
retry schedule starts again. A time is a date (midnight UTC) or like 2026-11-20T06:00:00Z. --to is outside the range.

To continue an interrupted replay, run the same command again. With --delivered, add --started-at and the time that was
printed when the replay began, so that nothing is sent twice.

Events from before the deliveries that are kept (RETENTION_DELIVERIES_DAYS) are only sent with --delivered: whether they
were delivered is no longer known.

Example:
  webhook replay 7 --from 2026-11-18 --to 2026-11-21`;

export const webhookReplayCommand = (): Command =>
  changing(
    new Command("replay")
      .argument("<id>")
      .description("Deliver a range of events to an endpoint again; shows how many and asks first")
      .requiredOption("--from <time>", "first time of the range")
      .requiredOption("--to <time>", "end of the range")
      .option("--delivered", "also send delivered events again")
      .option("--started-at <time>", "continue a replay that began at this time")
      .option("--yes", "do not ask for confirmation")
      .addHelpText("after", HELP),
    async (context, id: string, flags: Flags) => {
      const asked = askedFrom(id, flags);
      const counted = accepted(await countReplay(context, asked), asked);
      const queued = counted.deliveries === 0 ? 0 : await queueAll(context, asked, counted, flags);
      return {
        value: { endpoint_id: asked.endpointId, queued, started_at: counted.started_at },
        lines: [queued === 0 ? "There is nothing to send in this range." : `${deliveries(queued)} queued.`],
      };
    },
  );

async function queueAll(
  context: EntryContext,
  asked: AskedReplay,
  counted: ReplayCount,
  flags: Flags,
): Promise<number> {
  const what = `${deliveries(counted.deliveries)} to endpoint ${asked.endpointId} (${kindsOf(counted)})`;
  await requireConsent(what, flags);
  process.stderr.write(`Queueing ${what}; started at ${counted.started_at}.\n`);
  const beginning = { ...asked, startedAt: new Date(counted.started_at) };
  const { queued } = accepted(await replay(context, beginning, { onProgress: showProgress }), asked);
  if (process.stderr.isTTY) process.stderr.write("\n");
  return queued;
}

const deliveries = (howMany: number): string => countOf(howMany, "delivery", "deliveries");

function askedFrom(id: string, flags: Flags): AskedReplay {
  const asked: AskedReplay = {
    endpointId: endpointIdFrom(id),
    from: timeFrom("--from", flags.from),
    to: timeFrom("--to", flags.to),
    ...(flags.delivered && { kinds: REPLAY_KINDS }),
    ...(flags.startedAt === undefined ? {} : { startedAt: timeFrom("--started-at", flags.startedAt) }),
  };
  if (asked.from < asked.to) return asked;
  throw new OperatorError("--from must be before --to.");
}

export const noSuchEndpoint = (endpointId: number): OperatorError =>
  new OperatorError(`There is no webhook endpoint ${endpointId}; "webhook list" shows them.`);

function accepted<T extends object>(result: T | ReplayRefusal, { endpointId }: AskedReplay): T {
  if (typeof result === "object") return result;
  if (result === "not_found") throw noSuchEndpoint(endpointId);
  throw new OperatorError(
    `Endpoint ${endpointId} is paused. Enable it first: "webhook enable ${endpointId}".`,
  );
}

async function requireConsent(what: string, flags: Flags): Promise<void> {
  if (flags.yes) return;
  if (!canAsk()) throw new OperatorError(`This would send ${what}. Add --yes to send them.`);
  if (!(await confirm(`Send ${what}?`))) throw new OperatorError("Nothing was sent.");
}

const kindsOf = (counted: ReplayCount): string =>
  [
    `${count(counted.counts.missed)} never queued`,
    `${count(counted.counts.cancelled)} cancelled`,
    `${count(counted.counts.failed)} failed`,
    `${count(counted.counts.retrying)} waiting for a retry`,
    `${count(counted.counts.delivered)} delivered before`,
  ]
    .filter((part) => !part.startsWith("0 "))
    .join(", ");

/** Shows the progress in one line of a terminal; shows nothing elsewhere. */
const showProgress = (queued: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${count(queued)} queued`);
};

/** Whether a person at a terminal can be asked. */
const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks a question on the terminal. Returns true for y or yes, false for anything else. */
async function confirm(question: string): Promise<boolean> {
  // The question goes to standard error, so that output can be piped.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
