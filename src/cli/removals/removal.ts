import { Command } from "commander";
import { undoRemovals } from "../../suppression/requests/decide.ts";
import { listRemovals, type RemovalShown } from "../../suppression/requests/requests.ts";
import { count, print, table } from "../print.ts";
import { withContext } from "../with-context.ts";
import { removalExportCommand, removalImportCommand } from "./removal-file.ts";
import { requestIdsFrom } from "./removal-id.ts";
import { namesOf } from "./removal-names.ts";
import { removalReviewCommand } from "./removal-review.ts";

interface Flags {
  json?: boolean;
}

export function removalCommand(): Command {
  return new Command("removal")
    .description(
      "The public removal list: requests, those that wait for a decision, and the whole list as a file",
    )
    .addCommand(listCommand())
    .addCommand(removalReviewCommand())
    .addCommand(undoCommand())
    .addCommand(removalExportCommand())
    .addCommand(removalImportCommand());
}

const listCommand = () =>
  new Command("list")
    .description("Show every removal request, newest first")
    .option("--json", "print as JSON")
    .action((flags: Flags) =>
      withContext(async (context) => {
        const requests = await listRemovals(context);
        print(requests, flags, () => table(HEADINGS, requests.map(cells)));
      }),
    );

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
  new Command("undo")
    .argument("<request...>", "numbers of requests")
    .description("Take requests back: what they alone removed may be shown again")
    .requiredOption("--reason <text>", "why; it stays in the log for good")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nWhat a request named is forgotten with it. Feeds show its businesses from the next import on.",
    )
    .action((words: string[], flags: Flags & { reason: string }) =>
      withContext(async (context) => {
        const undone = await undoRemovals(context, requestIdsFrom(words), flags.reason);
        print(undone, flags, () => [
          `${count(undone.requests)} undone; ${count(undone.businesses)} businesses may be shown again.`,
        ]);
      }),
    );
