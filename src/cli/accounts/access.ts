import { Command } from "commander";
import { declineAccess, grantAccess } from "../../accounts/access/decide.ts";
import { type AccessShown, DECIDED_KEPT_DAYS, listAccess } from "../../accounts/access/requests.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { endWhole } from "../../webhooks/endpoints/pause-or-delete.ts";
import { table } from "../terminal/print.ts";
import { changing, reporting } from "../terminal/reporting.ts";

/** The most requests that a list shows. */
const MOST_LISTED = 1_000;

export function accessCommand(): Command {
  const access = new Command("access").description("Requests for access by the form at /request-access");
  reporting(
    access
      .command("list")
      .description("Show the requests that wait for your word, the oldest first")
      .option("--all", `also those decided in the last ${DECIDED_KEPT_DAYS} days`),
    async (context, { all = false }: { all?: boolean }) => {
      const requests = await listAccess(context, { areAllWanted: all, most: MOST_LISTED });
      const lines = requests.length === 0 ? ["No request."] : table(HEADINGS, requests.map(cells));
      return { value: requests, lines };
    },
  );
  changing(
    access
      .command("grant <request>")
      .description("Put the account of a request on a plan, and mail the person")
      .requiredOption("--plan <code>", 'the code of the plan; "plan list" shows the codes'),
    async (context, request: string, { plan }: { plan: string }) => {
      const granted = await grantAccess(context, requestIdFrom(request), plan);
      const line = granted.was_decided
        ? `The request ${granted.id} was granted with the plan ${granted.granted_plan} already, so nothing was changed.`
        : `Account ${granted.account_id} is on plan ${granted.granted_plan} now; the person gets a mail.`;
      return { value: granted, lines: [line] };
    },
  );
  changing(
    access
      .command("decline <request>")
      .description(
        "Decline a request: mail the person the reason, and close and erase the account that waits",
      )
      .requiredOption("--reason <text>", "why, as a sentence that the person reads"),
    async (context, request: string, { reason }: { reason: string }) => {
      const declined = await declineAccess(context, requestIdFrom(request), reason, endWhole);
      const line = declined.was_decided
        ? `The request ${declined.id} was declined already, so nothing was changed.`
        : `The request ${declined.id} is declined; the person gets a mail.`;
      return { value: declined, lines: [line] };
    },
  );
  return access;
}

function requestIdFrom(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(
    `A request is named by its number, not by "${text}"; "access list" shows the numbers.`,
  );
}

const HEADINGS = ["id", "state", "confirmed", "company", "name", "e-mail", "wishes", "account", "what for"];

const cells = (request: AccessShown) => [
  request.id,
  request.state,
  request.confirmed_at ?? "",
  request.company,
  request.name,
  request.email,
  request.wished_plan ?? "",
  request.account_id ?? "",
  request.purpose.replaceAll("\n", " "),
];
