// Imports mutated days and reports the outcome of each.
import type { Refusal } from "../../src/importer/read/refusal.ts";
import type { Context } from "../../src/platform/context.ts";
import { fingerprint } from "./fingerprint.ts";
import { MUTATED_DAY, type PreparedDays } from "./mutated-days.ts";
import type { Mutation } from "./mutation.ts";
import { FILE_TITLES, REGISTRY_FILES } from "./registry-file.ts";
import { compareEvents, compareFeeds, servedEvents, servedFeeds } from "./served.ts";

export interface Outcome {
  name: string;
  /** "refused" with the check's name, or "accepted" with the numbers of missing rows and events. */
  outcome: string;
  /** The message of a refusal. */
  message: string;
  /** Everything that is wrong with the outcome. */
  faults: string[];
}

/** Tries mutations in turn. A database that a refusal left unchanged is used for the next one. */
export async function tryMutations(
  prepared: PreparedDays,
  mutations: readonly Mutation[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const mutation of mutations) {
    const opened = await prepared.open();
    let isUntouched = false;
    try {
      const tried = await tryMutation(prepared, opened.context, mutation);
      isUntouched = tried.isUntouched;
      outcomes.push(tried.outcome);
    } finally {
      await (isUntouched ? opened.giveBack() : opened.close());
    }
  }
  return outcomes;
}

async function tryMutation(
  prepared: PreparedDays,
  context: Context,
  mutation: Mutation,
): Promise<{ outcome: Outcome; isUntouched: boolean }> {
  const dir = await prepared.writeMutated(mutation);
  let refusal: Refusal | null;
  try {
    refusal = await prepared.importDay(context, MUTATED_DAY, dir);
  } catch (error) {
    const faults = [`the import fails: ${error instanceof Error ? error.message : error}`];
    return { isUntouched: false, outcome: { name: mutation.name, outcome: "failed", message: "", faults } };
  }
  if (refusal) {
    const isUntouched = (await fingerprint(context)) === prepared.fingerprint;
    const faults = refusalFaults(refusal, mutation);
    if (!isUntouched) faults.push("the refusal changed something");
    if (mutation.isHarmless) faults.push("refused, though nothing is wrong");
    const outcome = `refused: ${refusal.checkName ?? "broken file"}`;
    return { isUntouched, outcome: { name: mutation.name, outcome, message: refusal.message, faults } };
  }
  return { isUntouched: false, outcome: await compareAccepted(prepared, context, mutation) };
}

async function compareAccepted(
  prepared: PreparedDays,
  context: Context,
  mutation: Mutation,
): Promise<Outcome> {
  const { expected } = prepared;
  const feeds = compareFeeds(await servedFeeds(context), expected.feeds, mutation);
  const events = compareEvents(await servedEvents(context), expected.events);
  const faults = [...feeds.wrong, ...events.wrong];
  if (mutation.isHarmless && feeds.missing > 0) faults.push(`${feeds.missing} rows missing`);
  const accepted: string[] = [];
  for (;;) {
    const refusal = await prepared.importDay(context, MUTATED_DAY + 1, undefined, new Set(accepted));
    if (!refusal) break;
    if (refusal.checkName === null || accepted.includes(refusal.checkName)) throw refusal;
    accepted.push(refusal.checkName);
  }
  const feedsNext = compareFeeds(await servedFeeds(context), expected.feedsNext, {
    ...mutation,
    removesReplacement: false,
  });
  const eventsNext = compareEvents(await servedEvents(context), expected.events);
  faults.push(
    ...feedsNext.wrong.map((line) => `the day after: ${line}`),
    ...eventsNext.wrong
      .filter((line) => !events.wrong.includes(line))
      .map((line) => `the day after: ${line}`),
  );
  if (feedsNext.missing > 0) faults.push(`the day after: ${feedsNext.missing} rows missing`);
  if (accepted.length > 0) faults.push(`the day after is refused: ${accepted.join(", ")}`);
  const parts = [
    `rows missing ${feeds.missing}`,
    `rows with other facts ${feeds.changed}`,
    `events missing ${eventsNext.missing}`,
  ];
  return { name: mutation.name, outcome: `accepted: ${parts.join(", ")}`, message: "", faults };
}

/** Checks that a refusal is one line with the file or feed, and the column and value if it is about these. */
function refusalFaults({ message, checkName }: Refusal, { files, column, word }: Mutation): string[] {
  const faults: string[] = [];
  const says = (text: string) => message.toLowerCase().includes(text.toLowerCase());
  if (message.includes("\n")) faults.push("the refusal has more than one line");
  const isNamed =
    files.some((file) => says(FILE_TITLES[file]) || says(REGISTRY_FILES[file])) ||
    /\bus_[a-z_]+\b|event/.test(message);
  if (!isNamed) faults.push("the refusal does not name the file");
  if (/^(unknown-values|date-format):/.test(checkName ?? "") && column && !says(column))
    faults.push(`the refusal does not name ${column}`);
  if (checkName?.startsWith("unknown-values:") && word && !says(word))
    faults.push(`the refusal does not name "${word}"`);
  return faults;
}
