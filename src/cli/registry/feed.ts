import { Command } from "commander";
import { KEPT_AFTER_REPLACED_HOURS } from "../../feeds/publish/old-versions.ts";
import { rollBack } from "../../importer/roll-back.ts";
import { countOf } from "../../platform/plural.ts";
import { count } from "../terminal/print.ts";
import { changing } from "../terminal/reporting.ts";

export function feedCommand(): Command {
  const feed = new Command("feed").description("The served version of a feed");
  changing(
    feed
      .command("rollback")
      .description("Serve the previous version of a feed again, until an import with --release")
      .argument("<feed>", "feed code, for example us_brokers")
      .addHelpText(
        "after",
        `
Versions are kept for ${KEPT_AFTER_REPLACED_HOURS} hours after they were replaced; run the command again to go back further. Readers who are reading
pages of the later version can finish. Events of the feed that rest on the later version are withdrawn: readers and
receivers of corrections hear of it. Imports are refused until one is given --release. It publishes new versions, and
confirms the events that it still finds.`,
      ),
    async (context, code: string) => {
      const done = await rollBack(context, code);
      const sentence =
        `${done.feed} serves version ${done.to} again (as of ${done.as_of}, ${countOf(done.rows, "row")}) in place of ` +
        `${done.from}, until an import with --release. Events withdrawn: ${count(done.events_withdrawn)}.`;
      return { value: done, lines: [sentence] };
    },
  );
  return feed;
}
