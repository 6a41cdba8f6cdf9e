import { Command } from "commander";
import { servedFeeds } from "../../feeds/versions/feeds-list.ts";
import type { EntryContext } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { logged } from "../../platform/operator-log/operator-log.ts";
import { countOf } from "../../platform/plural.ts";
import { MOST_BY_CONTACT, MOST_IN_ALL } from "../../suppression/matching.ts";
import {
  acceptRemovals,
  type Decided,
  listRemovals,
  listWaiting,
  type RemovalShown,
  rejectRemovals,
  undoRemovals,
  type WaitingRemoval,
} from "../../suppression/requests/requests.ts";
import { requestIdsFrom } from "../terminal/arguments.ts";
import { count, table } from "../terminal/print.ts";
import { asLogged, changing, type Report, reporting } from "../terminal/reporting.ts";
import { removalExportCommand, removalImportCommand } from "./removal-file.ts";

export function removalCommand(): Command {
  return new Command("removal")
    .description("The public removal list: show, decide, undo, export and import requests")
    .addCommand(listCommand())
    .addCommand(removalReviewCommand())
    .addCommand(undoCommand())
    .addCommand(removalExportCommand())
    .addCommand(removalImportCommand());
}

const listCommand = () =>
  reporting(new Command("list").description("Show every removal request, newest first"), async (context) => {
    const requests = await listRemovals(context);
    return { value: requests, lines: table(HEADINGS, requests.map(cells)) };
  });

const HEADINGS = ["request", "asked", "state", "removes", "names", "decision"];

const cells = (request: RemovalShown) => [
  String(request.request_id),
  request.requested_at,
  request.state,
  request.businesses,
  namesOf(request),
  request.reason === "" ? request.decision : `${request.decision}: ${request.reason}`,
];

const undoCommand = () =>
  changing(
    new Command("undo")
      .argument("<request...>", "numbers of requests")
      .description("Undo requests; businesses that no other request removed may be shown again")
      .requiredOption("--reason <text>", "why; the log of requests, not `tdf log`, keeps it for ever")
      .addHelpText(
        "after",
        "\nThe identifiers of the requests are deleted. Feeds show the businesses after the next import.",
      ),
    async (context, words: string[], { reason }: { reason: string }) => {
      const undone = await undoRemovals(context, requestIdsFrom(words), reason);
      const { requests, businesses } = undone;
      return {
        value: undone,
        lines: [
          `${count(requests)} undone; ${countOf(businesses, "business", "businesses")} may be shown again.`,
        ],
      };
    },
  );

interface ReviewFlags {
  accept?: boolean;
  reject?: boolean;
  all?: boolean;
  reason?: string;
}

const removalReviewCommand = (): Command => {
  const command = new Command("review")
    .argument("[request...]", "numbers of the requests to decide on")
    .description("Show the requests that wait for a decision, or decide on some of them")
    .option("--accept", "remove every business that they name, however many share a contact")
    .option("--reject", "remove no business; a blanked contact stays blanked")
    .option("--all", "decide on all waiting requests")
    .option("--reason <text>", "why; the log of requests, not `tdf log`, keeps it for ever")
    .addHelpText(
      "after",
      `
A request waits when more than ${MOST_BY_CONTACT} active businesses, or more than ${MOST_IN_ALL} in all, share a contact that it names, when the contact is
an agent's, or when a docket has more than ${MOST_IN_ALL} businesses. A request by phone or e-mail also waits when more than 50 businesses
and 0.5% of a feed were removed within 24 hours. The requester got the usual answer.`,
    );
  return reporting(command, (context, words: string[], flags: ReviewFlags) =>
    flags.accept || flags.reject
      ? logged(context, asLogged(command), () => decide(context, words, flags))
      : show(context, words, flags),
  );
};

async function show(context: EntryContext, words: readonly string[], flags: ReviewFlags): Promise<Report> {
  if (words.length > 0 || flags.all || flags.reason !== undefined) {
    throw new OperatorError("Name your decision: --accept or --reject, with --reason.");
  }
  const waiting = await listWaiting(context);
  const lines = waiting.length === 0 ? ["No removal request waits."] : waiting.flatMap(linesOf);
  return { value: waiting, lines };
}

async function decide(context: EntryContext, words: readonly string[], flags: ReviewFlags): Promise<Report> {
  const { accept = false, reject = false, all = false, reason = "" } = flags;
  if (accept && reject) throw new OperatorError("Give --accept or --reject, not both.");
  if (all === words.length > 0) throw new OperatorError("Name the requests by their numbers, or give --all.");
  const asked = all
    ? (await listWaiting(context)).map(({ request_id }) => request_id)
    : requestIdsFrom(words);
  if (asked.length === 0) throw new OperatorError("No removal request waits.");
  const decided = await (accept
    ? acceptRemovals(context, servedFeeds, asked, reason)
    : rejectRemovals(context, asked, reason));
  return { value: decided, lines: [summaryOf(decided, accept)] };
}

const summaryOf = ({ requests, businesses }: Decided, isAccepted: boolean): string =>
  isAccepted
    ? `${count(requests)} accepted; ${countOf(businesses, "more business is", "more businesses are")} removed.`
    : `${count(requests)} rejected; no business is removed by them.`;

/** The identifiers of a removal request, as one text. */
const namesOf = ({ identifiers }: RemovalShown): string =>
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
