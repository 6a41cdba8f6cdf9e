import { Command } from "commander";
import { KEPT_AFTER_REPLACED_HOURS } from "../../feeds/publish/publish.ts";
import { rollBackFeed } from "../../feeds/publish/rollback.ts";
import { count, print } from "../print.ts";
import { withContext } from "../with-context.ts";

export function feedCommand(): Command {
  const command = new Command("feed").description("The served version of a feed");
  command
    .command("rollback")
    .description("Serve the previous version of a feed again, until the next import")
    .argument("<feed>", "feed code, for example us_brokers")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      `
Versions are kept for ${KEPT_AFTER_REPLACED_HOURS} hours after they were replaced; run the command again to go back further. Readers who are reading
pages of the later version can finish. Events are not taken back. The next import publishes a new version.`,
    )
    .action((code: string, flags: { json?: boolean }) =>
      withContext(async (context) => {
        const done = await rollBackFeed(context, code);
        print(done, flags, () => [
          `${done.feed} serves version ${done.to} again (as of ${done.as_of}, ${count(done.rows)} rows) in place of ` +
            `${done.from}, until the next import.`,
        ]);
      }),
    );
  return command;
}
