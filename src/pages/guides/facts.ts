// The guides: Markdown files, filled with what the contract, the code and the deployment say.
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { PREVIEWS_PER_DAY } from "../../accounts/usage/quota.ts";
import { LARGEST_BODY_BYTES } from "../../api/body.ts";
import { CODINGS } from "../../api/content-coding.ts";
import { DEFAULT_SINCE_DAYS } from "../../events/read.ts";
import { CHANGES_KEPT_DAYS } from "../../feeds/sync/steps.ts";
import { READABLE_AFTER_REPLACED_HOURS } from "../../feeds/versions/versions.ts";
import { examples, packages } from "../../generated/downloads.ts";
import { events, feeds, filters } from "../../generated/feeds.ts";
import { operationTable } from "../../generated/operations.ts";
import { scopes } from "../../generated/scopes.ts";
import { testSituations } from "../../generated/test-situations.ts";
import type { EntryContext } from "../../platform/context.ts";
import { problemBody } from "../../platform/http/problem.ts";
import { TEST_MODE_SHARED_CONTACT_LIMIT } from "../../platform/opening/open-test-mode.ts";
import { shownCount } from "../../platform/plural.ts";
import { fixtureCarriers } from "../../testmode/fixture/fixture.ts";
import { TESTS_PER_ENDPOINT } from "../../webhooks/deliveries/test-delivery.ts";
import { ATTEMPT_TIMEOUT_MS } from "../../webhooks/egress/sender.ts";
import { ACTIVE_ENDPOINTS_LIMIT } from "../../webhooks/endpoints/account-limits.ts";
import { PAUSES_AT } from "../../webhooks/endpoints/failure-streak.ts";
import { shownWaits } from "../dashboard/parts/delivery-words.ts";
import { changesText } from "./changes.ts";
import { GUIDES, type GuideName } from "./guide-list.ts";
import { markdownTable } from "./markdown-table.ts";
import { type Operation, operations, problemsByStatus, resolved } from "./operations.ts";

type Facts = ReturnType<typeof factsOf>;

/** What the guides say that the contract, the code or the deployment decides. Values are Markdown. */
const factsOf = ({ config }: EntryContext, demoKey: string | null) => ({
  address: config.publicUrl,
  key: demoKey ?? "$TDF_KEY",
  "key-note": demoKey === null ? OWN_KEY : DEMO_KEY,
  feeds: feedTable(),
  filters: filterTable(),
  "event-types": eventTable(),
  costs: costTable(),
  problems: problemTable(),
  scopes: scopeTable(),
  "problem-example": JSON.stringify(
    problemBody(config.publicUrl, "not_entitled", "Your plan does not include us_brokers."),
    null,
    2,
  ),
  packages: packageCommands(config.publicUrl),
  "sdk-address": `${config.publicUrl}${packages[0]?.path}`,
  examples: exampleTable(),
  fixture: fixtureTable(),
  situations: situationTable(),
  changes: changesText(),
  "guide-texts": guideList(config.publicUrl),
  "after-failure": afterFailure(config.webhookRetrySeconds),
  "attempt-seconds": String(ATTEMPT_TIMEOUT_MS / 1000),
  "pauses-at": String(PAUSES_AT),
  "most-endpoints": String(ACTIVE_ENDPOINTS_LIMIT),
  "tests-per-endpoint": String(TESTS_PER_ENDPOINT),
  "version-hours": String(READABLE_AFTER_REPLACED_HOURS),
  "changes-days": String(CHANGES_KEPT_DAYS),
  "deliveries-days": String(config.retentionDays.deliveries),
  "events-days": String(DEFAULT_SINCE_DAYS),
  "most-sharing": String(config.sharedContactLimit),
  "most-sharing-test": String(TEST_MODE_SHARED_CONTACT_LIMIT),
  previews: String(PREVIEWS_PER_DAY),
  "older-mcp-versions": SUPPORTED_PROTOCOL_VERSIONS.join(", "),
  codings: CODINGS.map((coding) => `\`${coding}\``).join(", "),
  "body-bytes": `at most ${shownCount(LARGEST_BODY_BYTES)}`,
  "watchlist-body-bytes": `at most ${shownCount(operationTable.addWatchedCarriers.bodyBytes)}`,
});

const OWN_KEY =
  "[Request access](/request-access) if you have no account yet. Sign in to the [dashboard](/dashboard), open *API keys* and create one. It is shown once. Until your request for live data is granted, use a test key from the same page: every command here works with it too, on the made-up companies of [test mode](/docs/testing). Put the key into a variable, which the " +
  "commands below use:\n\n```bash\nexport TDF_KEY=tdf_live_...\n```";

const DEMO_KEY =
  "This is a demo with made-up companies, which only this machine can reach. The commands below already have its key: paste them.";

const guideList = (address: string): string =>
  GUIDES.map(({ title, path, summary }) => `- [${title}](${address}${path}.md): ${summary}`).join("\n");

function afterFailure(retrySeconds: readonly number[]): string {
  if (retrySeconds.length === 0) return "A delivery that fails is not retried.";
  return `A failed delivery is retried after ${shownWaits(retrySeconds)}, then marked failed.`;
}

const scopeTable = (): string =>
  markdownTable(
    ["Scope", "A key with it may"],
    Object.entries(scopes).map(([scope, { allows }]) => [`\`${scope}\``, allows]),
  );

const fixtureTable = (): string =>
  markdownTable(
    ["USDOT number", "Company", "What it shows"],
    fixtureCarriers().map(({ usdot, name, about }) => [`\`${usdot}\``, name, about]),
  );

const situationTable = (): string =>
  markdownTable(
    ["`X-Test-Situation`", "What it asks for"],
    Object.entries(testSituations).map(([name, words]) => [`\`${name}\``, words]),
  );

const feedTable = (): string =>
  markdownTable(
    ["Feed", "What it lists", "Refreshed"],
    feeds.map(({ code, name, cadence }) => [`\`${code}\``, name, cadence]),
  );

function filterTable(): string {
  const parameters = operations()
    .flatMap(({ source }) => source.parameters ?? [])
    .map(resolved);
  return markdownTable(
    ["Filter", "Meaning", "Feeds"],
    filters.map(({ name }) => {
      const description = String(parameters.find((parameter) => parameter.name === name)?.description);
      const allowing = feeds.filter(({ allowedFilters }) => allowedFilters.includes(name));
      const codes = allowing.map(({ code }) => `\`${code}\``).join(", ");
      return [`\`${name}\``, firstSentence(description), allowing.length === feeds.length ? "all" : codes];
    }),
  );
}

const firstSentence = (text: string): string => text.split(/(?<=\.) /)[0] ?? "";

const eventTable = (): string =>
  markdownTable(
    ["Event type", "Meaning", "Seen with any of the feeds"],
    Object.entries(events).map(([type, { label, feeds: seenWith }]) => [
      `\`${type}\``,
      label,
      seenWith.map((code) => `\`${code}\``).join(", "),
    ]),
  );

const costTable = (): string =>
  markdownTable(
    ["Operation", "Costs", "What it does"],
    operations().map((operation) => [
      `\`${operation.method} ${operation.path}\``,
      costOf(operation),
      operation.summary,
    ]),
  );

/** An operation costs rows when its answers include the refusal for want of them. */
function costOf({ codes, isPublic, source }: Operation): string {
  if (codes.includes("quota_exceeded")) return source["x-cost"] ?? "a row for each record or event";
  return isPublic ? "no rows, and takes no key" : "no rows";
}

const problemTable = (): string =>
  markdownTable(
    ["Code", "Status", "What it means and what to do"],
    problemsByStatus().map(([code, { status, meaning }]) => [
      `[\`${code}\`](/problems/${code})`,
      String(status),
      meaning,
    ]),
  );

/** Each package with the command that gets it from this address. */
const packageCommands = (address: string): string =>
  packages
    .map(
      ({ title, command, path }) =>
        `${title}:\n\n\`\`\`bash\n${command.replace("URL", address + path)}\n\`\`\``,
    )
    .join("\n\n");

/** The examples by folder, each file as a link. */
const exampleTable = (): string =>
  markdownTable(
    ["Example", "What it does", "Files"],
    examples.map(({ folder, about, files }) => [
      `\`${folder}\``,
      about,
      files.map((name) => `[\`${name}\`](/examples/${folder}/${name})`).join(", "),
    ]),
  );

/** The Markdown of guides for a deployment. Links lead to paths of the service. */
export type Texts = ReadonlyMap<GuideName, string>;

const filledFor = new WeakMap<EntryContext, { key: string | null; texts: Texts }>();

/** Fills all guides. With the key of the demo the commands work as they are; without it the reader puts in their own. */
export function guideTexts(context: EntryContext, key: string | null): Texts {
  const known = filledFor.get(context);
  if (known?.key === key) return known.texts;
  const facts = factsOf(context, key);
  const texts = new Map(GUIDES.map(({ name, source }): [GuideName, string] => [name, filled(source, facts)]));
  filledFor.set(context, { key, texts });
  return texts;
}

/** Puts facts in the places of their names. */
function filled(source: string, facts: Facts): string {
  return source.replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const fact = facts[name as keyof Facts];
    if (fact === undefined) throw new Error(`A guide asks for a fact that there is not: ${name}.`);
    return fact;
  });
}
