import { Command } from "commander";
import { instantMs } from "../../events/rfc3339.ts";
import type { EntryContext } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { countReplay, type ReplayCount, replay } from "../../webhooks/replay/replay.ts";
import type { AskedReplay, ReplayRefusal } from "../../webhooks/replay/replay-range.ts";
import { canAsk, confirm } from "../confirm.ts";
import { count, print } from "../print.ts";
import { withContext } from "../with-context.ts";
import { endpointIdFrom, noSuchEndpoint } from "./endpoint-id.ts";

interface Flags {
  from: string;
  to: string;
  delivered?: boolean;
  startedAt?: string;
  yes?: boolean;
  json?: boolean;
}

const HELP = `
Sends the events that were detected in the range and that the endpoint is to get by its event types and its account's
plan: those never queued for it (it was paused, or not there yet), those whose delivery was cancelled or failed, and those
waiting for a retry; delivered ones only with --delivered. Event and delivery keep their ids, the retry schedule begins
anew. Times are dates (from midnight UTC) or like 2026-11-20T06:00:00Z; --to itself is outside of the range.

One that was interrupted goes on with the same command; with --delivered, add --started-at and the time that was printed
when it began, so that nothing is sent twice.

Example:
  webhook replay 7 --from 2026-11-18 --to 2026-11-21`;

export function webhookReplayCommand(): Command {
  return new Command("replay")
    .argument("<id>")
    .description(
      "Deliver a range of events to an endpoint once more, or at last; says how many before it does",
    )
    .requiredOption("--from <time>", "events detected from here on")
    .requiredOption("--to <time>", "up to here")
    .option("--delivered", "also those that were delivered")
    .option("--started-at <time>", "go on with a replay that began then")
    .option("--yes", "do not ask")
    .option("--json", "print as JSON")
    .addHelpText("after", HELP)
    .action((id: string, flags: Flags) =>
      withContext(async (context) => {
        const asked = askedFrom(id, flags);
        const counted = accepted(await countReplay(context, asked), asked);
        const queued = counted.deliveries === 0 ? 0 : await queueAll(context, asked, counted, flags);
        print({ endpoint_id: asked.endpointId, queued, started_at: counted.started_at }, flags, () => [
          queued === 0 ? "There is nothing to send in this range." : `${deliveries(queued)} queued.`,
        ]);
      }),
    );
}

async function queueAll(
  context: EntryContext,
  asked: AskedReplay,
  counted: ReplayCount,
  flags: Flags,
): Promise<number> {
  const what = `${deliveries(counted.deliveries)} to endpoint ${asked.endpointId} (${kindsOf(counted)})`;
  await requireConsent(what, flags);
  process.stderr.write(`Queueing ${what}; begun at ${counted.started_at}.\n`);
  const beginning = { ...asked, startedAt: new Date(counted.started_at) };
  const { queued } = accepted(await replay(context, beginning, { onProgress: showProgress }), asked);
  if (process.stderr.isTTY) process.stderr.write("\n");
  return queued;
}

const deliveries = (howMany: number): string =>
  `${count(howMany)} ${howMany === 1 ? "delivery" : "deliveries"}`;

function askedFrom(id: string, flags: Flags): AskedReplay {
  const asked: AskedReplay = {
    endpointId: endpointIdFrom(id),
    from: timeFrom("--from", flags.from),
    to: timeFrom("--to", flags.to),
    includesDelivered: flags.delivered ?? false,
    ...(flags.startedAt === undefined ? {} : { startedAt: timeFrom("--started-at", flags.startedAt) }),
  };
  if (asked.from < asked.to) return asked;
  throw new OperatorError("--from must lie before --to.");
}

function timeFrom(name: string, text: string): Date {
  const time = instantMs(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (time !== null) return new Date(time);
  throw new OperatorError(
    `${name} is "${text}": give a date like 2026-11-20 or a time like 2026-11-20T06:00:00Z.`,
  );
}

function accepted<T extends object>(result: T | ReplayRefusal, { endpointId }: AskedReplay): T {
  if (typeof result === "object") return result;
  if (result === "not_found") throw noSuchEndpoint(endpointId);
  throw new OperatorError(
    `The endpoint ${endpointId} is paused and gets nothing: enable it first with "webhook enable ${endpointId}".`,
  );
}

async function requireConsent(what: string, flags: Flags): Promise<void> {
  if (flags.yes) return;
  if (!canAsk()) throw new OperatorError(`This would send ${what}; add --yes to send them.`);
  if (!(await confirm(`Send ${what}?`))) throw new OperatorError("Nothing was sent.");
}

const kindsOf = (counted: ReplayCount): string =>
  [
    `${count(counted.never_queued)} never queued`,
    `${count(counted.cancelled)} cancelled`,
    `${count(counted.failed)} failed`,
    `${count(counted.retrying)} waiting for a retry`,
    `${count(counted.delivered)} delivered before`,
  ]
    .filter((part) => !part.startsWith("0 "))
    .join(", ");

/** A line that grows on a terminal; nothing where nobody looks. */
const showProgress = (queued: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${count(queued)} queued`);
};
