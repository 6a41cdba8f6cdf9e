// How many of the businesses that connections name are a company's predecessor, in a made-up registry of which the truth is known.
import { rm } from "node:fs/promises";
import path from "node:path";
import { isPerson } from "../../../src/carriers/connections/businesses.ts";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { addDays, dayOf, systemClock } from "../../../src/platform/clock.ts";
import type { Bench } from "../../bench/frame/bench.ts";
import { newDatabase, queryOnce } from "../../bench/frame/databases.ts";
import type { Run } from "../../bench/frame/report.ts";
import { runCommand, startService } from "../../bench/programs/program.ts";
import { openCustomer } from "../../bench/setup/customer.ts";
import { onDatabase } from "../../bench/setup/open-database.ts";
import { type Answers, askForConnections, type NamedPair } from "./named-pairs.ts";

type RelatedCompany = NonNullable<Awaited<ReturnType<typeof generateRegistry>>[number]["related"]>[number];

/** The report of `npm run study -- connections`. */
export interface ConnectionsReport extends Run {
  connections: {
    /** The carriers that were answered. */
    answered: number;
    /** The pairs of companies that answers name together, by what they are. */
    pairs: Pairs[];
    /** Companies with a predecessor, one of the two answered and neither a person's. */
    predecessors: { declared: Found; undeclared: Found };
  };
}

interface Pairs {
  relation: RelatedCompany["kind"] | "nothing";
  named: number;
  /** Those of them that two signs name, with no link that stands alone. */
  bySignsAlone: number;
}

interface Found {
  all: number;
  found: number;
  /** Those that two signs name, whatever else links them. */
  foundBySigns: number;
}

/** Makes a registry whose companies have something in common, imports it, and asks for the connections of everybody. */
export async function measureConnections(bench: Bench): Promise<ConnectionsReport["connections"]> {
  const { carriers, seed } = bench.sizes;
  const outDir = path.join(bench.folder, "related-registry");
  const firstDay = addDays(dayOf(systemClock.now()), -1);
  bench.say(`generating a registry of ${carriers} carriers`);
  const [day] = await generateRegistry({ outDir, carriers, seed, firstDay, days: 1, hasRelations: true });
  if (day?.related === undefined) throw new Error("The registry has no related companies.");
  const databaseUrl = await newDatabase(bench);
  bench.say("importing it");
  await runCommand(bench, databaseUrl, [
    "import",
    "--dir",
    day.dir,
    "--json",
    "--accept",
    "sources-disagree",
  ]);
  await rm(outDir, { recursive: true });
  const customer = await onDatabase(bench, databaseUrl, openCustomer);
  const { url } = await startService(bench, databaseUrl);
  const holders = await queryOnce<{ usdot: number }>(databaseUrl, "SELECT DISTINCT usdot FROM authority");
  bench.say(`asking for the connections of ${holders.length} carriers`);
  const usdots = holders.map(({ usdot }) => usdot);
  const answers = await askForConnections(bench, { url, headers: customer.headers }, usdots);
  const persons = await personsAmong(databaseUrl, day.related);
  return {
    answered: answers.answered.size,
    pairs: relationsOfPairs(answers.pairs, day.related),
    predecessors: foundPredecessors(answers, day.related, persons),
  };
}

async function personsAmong(
  databaseUrl: string,
  related: readonly RelatedCompany[],
): Promise<ReadonlySet<number>> {
  const rows = await queryOnce<{ usdot: number; is_individual: boolean | null; company: string | null }>(
    databaseUrl,
    "SELECT usdot, is_individual, legal_name AS company FROM census WHERE usdot = ANY ($1::int[])",
    [related.map(({ usdot }) => usdot)],
  );
  return new Set(rows.filter(isPerson).map(({ usdot }) => usdot));
}

const RELATIONS = [
  "successor",
  "family",
  "franchise",
  "virtual_office",
  "filing_service",
  "nothing",
] as const;
/** Each of these names a business alone. */
const STANDS_ALONE = ["docket_moved", "declared_predecessor", "policy"];

const signsOf = (kinds: readonly string[]): number =>
  kinds.filter((kind) => !STANDS_ALONE.includes(kind)).length;

function relationsOfPairs(pairs: readonly NamedPair[], related: readonly RelatedCompany[]): Pairs[] {
  const partOf = new Map(related.map((company) => [company.usdot, company]));
  const relationOf = ({ usdots }: NamedPair): Pairs["relation"] => {
    const [one, other] = usdots.map((usdot) => partOf.get(usdot));
    return one !== undefined && one.group === other?.group ? one.kind : "nothing";
  };
  const byRelation = Map.groupBy(pairs, relationOf);
  return RELATIONS.map((relation) => {
    const named = byRelation.get(relation) ?? [];
    const bySignsAlone = named.filter(({ kinds }) => signsOf(kinds) === kinds.length).length;
    return { relation, named: named.length, bySignsAlone };
  });
}

function foundPredecessors(
  { answered, pairs }: Answers,
  related: readonly RelatedCompany[],
  persons: ReadonlySet<number>,
): ConnectionsReport["connections"]["predecessors"] {
  const kindsOf = new Map(pairs.map(({ usdots, kinds }) => [usdots.join(), kinds]));
  const successors = related.filter(
    ({ kind, usdot, group }) =>
      kind === "successor" &&
      usdot !== group &&
      (answered.has(usdot) || answered.has(group)) &&
      !persons.has(usdot) &&
      !persons.has(group),
  );
  const foundOf = (some: readonly RelatedCompany[]): Found => {
    const kinds = some.map(({ usdot, group }) =>
      kindsOf.get([usdot, group].toSorted((one, other) => one - other).join()),
    );
    const found = kinds.filter((each) => each !== undefined);
    return {
      all: some.length,
      found: found.length,
      foundBySigns: found.filter((each) => signsOf(each) >= 2).length,
    };
  };
  return {
    declared: foundOf(successors.filter(({ isDeclared }) => isDeclared)),
    undeclared: foundOf(successors.filter(({ isDeclared }) => !isDeclared)),
  };
}

/** The findings as lines for a terminal. */
export function connectionLines({
  answered,
  pairs,
  predecessors,
}: ConnectionsReport["connections"]): string[] {
  const sumOf = (count: "named" | "bySignsAlone") => pairs.reduce((sum, each) => sum + each[count], 0);
  const successors = pairs.find(({ relation }) => relation === "successor");
  const trueShare = (count: "named" | "bySignsAlone") => percent(successors?.[count] ?? 0, sumOf(count));
  const foundLine = (what: string, { all, found, foundBySigns }: Found) =>
    `${what.padEnd(16)} ${found} of ${all} found (${percent(found, all)}), ${foundBySigns} of them by two signs (${percent(foundBySigns, all)})`;
  return [
    `${answered.toLocaleString("en-US")} carriers were asked for, ${sumOf("named").toLocaleString("en-US")} pairs of companies are named.`,
    "",
    `${"what they are".padEnd(16)} ${"pairs".padStart(8)} ${"by signs alone".padStart(16)}`,
    ...pairs.map(
      ({ relation, named, bySignsAlone }) =>
        `${relation.replace("_", " ").padEnd(16)} ${String(named).padStart(8)} ${String(bySignsAlone).padStart(16)}`,
    ),
    `${"true".padEnd(16)} ${trueShare("named").padStart(8)} ${trueShare("bySignsAlone").padStart(16)}`,
    "",
    "predecessors:",
    foundLine("declared", predecessors.declared),
    foundLine("not declared", predecessors.undeclared),
  ];
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${Math.round((100 * part) / whole)}%`;
