import { Command } from "commander";
import { SIGN_IN_LINK_MINUTES } from "../accounts/sessions/sign-in-links.ts";
import { countOf } from "../platform/plural.ts";
import { closeOperatorSessions, operatorSignInLink } from "../watch/operator-sign-in.ts";
import { changing } from "./terminal/reporting.ts";

export function adminCommand(): Command {
  const admin = new Command("admin").description("The operator's page at /admin: sign in and out");
  changing(
    admin
      .command("sign-in")
      .description("Print a link that signs in to the operator's page")
      .addHelpText(
        "after",
        "\nWith OPERATOR_EMAIL set, the page /admin also mails such a link to that address.",
      ),
    async (context) => {
      const url = await operatorSignInLink(context);
      const lines = [url, `The link works once, within ${SIGN_IN_LINK_MINUTES} minutes.`];
      return { value: { url, minutes: SIGN_IN_LINK_MINUTES }, lines };
    },
  );
  changing(
    admin.command("sign-out").description("End every session of the operator's page, and every link"),
    async (context) => {
      const sessions = await closeOperatorSessions(context);
      const ended = sessions === 1 ? "was" : "were";
      return { value: { sessions }, lines: [`${countOf(sessions, "session")} ${ended} ended.`] };
    },
  );
  return admin;
}
