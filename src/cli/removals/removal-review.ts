import { Command } from "commander";
import type { Context } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { MOST_SHARING_USDOTS } from "../../registry/contacts/shared-contacts.ts";
import { acceptRemovals, type Decided, rejectRemovals } from "../../suppression/requests/decide.ts";
import { listWaiting, type WaitingRemoval } from "../../suppression/requests/requests.ts";
import { count, print } from "../print.ts";
import { withContext } from "../with-context.ts";
import { requestIdsFrom } from "./removal-id.ts";
import { namesOf } from "./removal-names.ts";

interface ReviewFlags {
  accept?: boolean;
  reject?: boolean;
  all?: boolean;
  reason?: string;
  json?: boolean;
}

export const removalReviewCommand = (): Command =>
  new Command("review")
    .argument("[request...]", "numbers of requests to decide on")
    .description("Show the requests that wait for a decision, or decide on some of them")
    .option("--accept", "remove every business behind them, however many share a contact")
    .option("--reject", "remove none; a contact that was blanked stays blanked")
    .option("--all", "decide on all that wait")
    .option("--reason <text>", "why; it stays in the log for good")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      `
A request waits when a contact it names is shared by more than ${MOST_SHARING_USDOTS} active businesses, or when more than 50 businesses and
0.5 % of a feed were removed within 24 hours and it names a phone or e-mail. Whoever asked was answered as always.`,
    )
    .action((words: string[], flags: ReviewFlags) =>
      withContext((context) =>
        flags.accept || flags.reject ? decide(context, words, flags) : show(context, words, flags),
      ),
    );

async function show(context: Context, words: readonly string[], flags: ReviewFlags): Promise<void> {
  if (words.length > 0 || flags.all || flags.reason !== undefined) {
    throw new OperatorError("Say what to decide: --accept or --reject, with --reason.");
  }
  const waiting = await listWaiting(context);
  print(waiting, flags, () =>
    waiting.length === 0 ? ["No removal request waits."] : waiting.flatMap(linesOf),
  );
}

async function decide(context: Context, words: readonly string[], flags: ReviewFlags): Promise<void> {
  const { accept = false, reject = false, all = false, reason = "" } = flags;
  if (accept && reject) throw new OperatorError("Give --accept or --reject, not both.");
  if (all === words.length > 0) throw new OperatorError("Name the requests to decide on, or give --all.");
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

const linesOf = (request: WaitingRemoval): string[] => [
  `${request.request_id} of ${request.requested_at}: ${namesOf(request)}`,
  `  waits because ${request.reason}`,
  `  would remove: ${Object.entries(request.would_hide)
    .map(([kind, businesses]) => `${count(businesses)} by ${kind}`)
    .join(", ")}`,
  ...(request.requester_email === null ? [] : [`  asked by ${request.requester_email}`]),
  ...(request.details === null ? [] : [`  said: ${JSON.stringify(request.details)}`]),
];
