import { Command } from "commander";
import type { EntryContext } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { MOST_BY_CONTACT } from "../../suppression/matching.ts";
import { acceptRemovals, type Decided, rejectRemovals } from "../../suppression/requests/decide.ts";
import { listWaiting, type RemovalShown, type WaitingRemoval } from "../../suppression/requests/requests.ts";
import { requestIdsFrom } from "../arguments.ts";
import { count, print } from "../print.ts";
import { withContext } from "../with-context.ts";

interface ReviewFlags {
  accept?: boolean;
  reject?: boolean;
  all?: boolean;
  reason?: string;
  json?: boolean;
}

export const removalReviewCommand = (): Command =>
  new Command("review")
    .argument("[request...]", "numbers of the requests to decide on")
    .description("Show the requests that wait for a decision, or decide on some of them")
    .option("--accept", "remove every business that they name, however many share a contact")
    .option("--reject", "remove no business; a blanked contact stays blanked")
    .option("--all", "decide on all waiting requests")
    .option("--reason <text>", "why; the log keeps it for ever")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      `
A request waits when more than ${MOST_BY_CONTACT} active businesses share a contact that it names. A request by phone or e-mail also waits
when more than 50 businesses and 0.5 % of a feed were removed within 24 hours. The requester got the usual answer.`,
    )
    .action((words: string[], flags: ReviewFlags) =>
      withContext((context) =>
        flags.accept || flags.reject ? decide(context, words, flags) : show(context, words, flags),
      ),
    );

async function show(context: EntryContext, words: readonly string[], flags: ReviewFlags): Promise<void> {
  if (words.length > 0 || flags.all || flags.reason !== undefined) {
    throw new OperatorError("Name your decision: --accept or --reject, with --reason.");
  }
  const waiting = await listWaiting(context);
  print(waiting, flags, () =>
    waiting.length === 0 ? ["No removal request waits."] : waiting.flatMap(linesOf),
  );
}

async function decide(context: EntryContext, words: readonly string[], flags: ReviewFlags): Promise<void> {
  const { accept = false, reject = false, all = false, reason = "" } = flags;
  if (accept && reject) throw new OperatorError("Give --accept or --reject, not both.");
  if (all === words.length > 0) throw new OperatorError("Name the requests by their numbers, or give --all.");
  const asked = all
    ? (await listWaiting(context)).map(({ request_id }) => request_id)
    : requestIdsFrom(words);
  if (asked.length === 0) throw new OperatorError("No removal request waits.");
  const decided = await (accept ? acceptRemovals : rejectRemovals)(context, asked, reason);
  print(decided, flags, () => [summaryOf(decided, accept)]);
}

const summaryOf = ({ requests, businesses }: Decided, isAccepted: boolean): string =>
  isAccepted
    ? `${count(requests)} accepted; ${count(businesses)} more businesses are removed.`
    : `${count(requests)} rejected; no business is removed by them.`;

/** The identifiers of a removal request, as one text. */
export const namesOf = ({ identifiers }: RemovalShown): string =>
  identifiers.map(({ kind, value }) => `${kind} ${value}`).join(", ") || "(forgotten)";

const linesOf = (request: WaitingRemoval): string[] => [
  `${request.request_id} of ${request.requested_at}: ${namesOf(request)}`,
  `  waits because ${request.reason}`,
  `  would remove: ${Object.entries(request.would_hide)
    .map(([kind, businesses]) => `${count(businesses)} by ${kind}`)
    .join(", ")}`,
  ...(request.requester_email === null ? [] : [`  asked by ${request.requester_email}`]),
  ...(request.details === null ? [] : [`  said: ${JSON.stringify(request.details)}`]),
];
