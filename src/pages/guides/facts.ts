import { PREVIEWS_PER_DAY } from "../../accounts/usage/preview-allowance.ts";
import { LARGEST_BODY_BYTES } from "../../api/body.ts";
import { CODINGS } from "../../api/content-coding.ts";
import { DEFAULT_SINCE_DAYS } from "../../events/read.ts";
import { CHANGES_KEPT_DAYS } from "../../feeds/sync/steps.ts";
import { READABLE_AFTER_REPLACED_HOURS } from "../../feeds/versions/versions.ts";
import { packages } from "../../generated/downloads.ts";
import type { EntryContext } from "../../platform/context.ts";
import { problemBody } from "../../platform/http/problem.ts";
import { TESTS_PER_ENDPOINT } from "../../webhooks/deliveries/test-delivery.ts";
import { PAUSES_AT } from "../../webhooks/dispatch/lost-delivery.ts";
import { ATTEMPT_TIMEOUT_MS } from "../../webhooks/egress/sender.ts";
import { ACTIVE_ENDPOINTS_LIMIT } from "../../webhooks/endpoints/account-limits.ts";
import { shownWaits } from "../dashboard/parts/delivery-words.ts";
import { shownCount } from "../kit/number.ts";
import { changesText } from "./changes.ts";
import { exampleTable, packageCommands } from "./download-lists.ts";
import { costTable, eventTable, feedTable, filterTable, problemTable } from "./fact-tables.ts";
import { GUIDES } from "./guide-list.ts";

export type Facts = ReturnType<typeof factsOf>;

/** What the guides say that the contract, the code or the deployment decides. Values are Markdown. */
export const factsOf = ({ config }: EntryContext, demoKey: string | null) => ({
  address: config.publicUrl,
  key: demoKey ?? "$TDF_KEY",
  "key-note": demoKey === null ? OWN_KEY : DEMO_KEY,
  feeds: feedTable(),
  filters: filterTable(),
  "event-types": eventTable(),
  costs: costTable(),
  problems: problemTable(),
  "problem-example": JSON.stringify(
    problemBody(config.publicUrl, "not_entitled", "Your plan does not include us_brokers."),
    null,
    2,
  ),
  packages: packageCommands(config.publicUrl),
  "sdk-address": `${config.publicUrl}${packages[0]?.path}`,
  examples: exampleTable(),
  changes: changesText(),
  "guide-texts": guideList(config.publicUrl),
  "after-failure": afterFailure(config.webhookRetrySeconds),
  "attempt-seconds": String(ATTEMPT_TIMEOUT_MS / 1000),
  "pauses-at": String(PAUSES_AT),
  "most-endpoints": String(ACTIVE_ENDPOINTS_LIMIT),
  "tests-per-endpoint": String(TESTS_PER_ENDPOINT),
  "version-hours": String(READABLE_AFTER_REPLACED_HOURS),
  "changes-days": String(CHANGES_KEPT_DAYS),
  "events-days": String(DEFAULT_SINCE_DAYS),
  "most-sharing": String(config.sharedContactLimit),
  previews: String(PREVIEWS_PER_DAY),
  codings: CODINGS.map((coding) => `\`${coding}\``).join(", "),
  "body-bytes": `at most ${shownCount(LARGEST_BODY_BYTES)}`,
});

const OWN_KEY =
  "Sign in to the [dashboard](/dashboard), open *Keys* and create one. It is shown once. Put it into a variable, which the " +
  "commands below use:\n\n```bash\nexport TDF_KEY=tdf_live_...\n```";

const DEMO_KEY =
  "This is a demo with made-up companies, which only this machine can reach. The commands below already have its key: paste them.";

const guideList = (address: string): string =>
  GUIDES.map(({ title, path, summary }) => `- [${title}](${address}${path}.md): ${summary}`).join("\n");

function afterFailure(retrySeconds: readonly number[]): string {
  if (retrySeconds.length === 0) return "A delivery that fails is not retried.";
  return `A failed delivery is retried after ${shownWaits(retrySeconds)}, then marked failed.`;
}
