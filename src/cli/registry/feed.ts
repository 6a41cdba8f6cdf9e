import { Command } from "commander";
import { KEPT_AFTER_REPLACED_HOURS } from "../../feeds/publish/old-versions.ts";
import { rollBackFeed } from "../../feeds/publish/rollback.ts";
import { count } from "../terminal/print.ts";
import { changing } from "../terminal/reporting.ts";

export function feedCommand(): Command {
  const feed = new Command("feed").description("The served version of a feed");
  changing(
    feed
      .command("rollback")
      .description("Serve the previous version of a feed again, until the next import")
      .argument("<feed>", "feed code, for example us_brokers")
      .addHelpText(
        "after",
        `
Versions are kept for ${KEPT_AFTER_REPLACED_HOURS} hours after they were replaced; run the command again to go back further. Readers who are reading
pages of the later version can finish. Events are not taken back. The next import publishes a new version.`,
      ),
    async (context, code: string) => {
      const done = await rollBackFeed(context, code);
      const sentence =
        `${done.feed} serves version ${done.to} again (as of ${done.as_of}, ${count(done.rows)} rows) in place of ` +
        `${done.from}, until the next import.`;
      return { value: done, lines: [sentence] };
    },
  );
  return feed;
}
