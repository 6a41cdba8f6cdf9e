import { Command } from "commander";
import { undoRemovals } from "../../suppression/requests/decide.ts";
import { listRemovals, type RemovalShown } from "../../suppression/requests/requests.ts";
import { requestIdsFrom } from "../arguments.ts";
import { count, print, table } from "../print.ts";
import { withContext } from "../with-context.ts";
import { removalExportCommand, removalImportCommand } from "./removal-file.ts";
import { namesOf, removalReviewCommand } from "./removal-review.ts";

interface Flags {
  json?: boolean;
}

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
    .description("Undo requests; businesses that no other request removed may be shown again")
    .requiredOption("--reason <text>", "why; the log keeps it for ever")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nThe identifiers of the requests are deleted. Feeds show the businesses after the next import.",
    )
    .action((words: string[], flags: Flags & { reason: string }) =>
      withContext(async (context) => {
        const undone = await undoRemovals(context, requestIdsFrom(words), flags.reason);
        print(undone, flags, () => [
          `${count(undone.requests)} undone; ${count(undone.businesses)} businesses may be shown again.`,
        ]);
      }),
    );
