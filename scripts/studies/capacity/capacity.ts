import { table } from "../../../src/cli/terminal/print.ts";
import type { Bench } from "../../bench/frame/bench.ts";
import { inRounds, spread } from "../../bench/frame/rounds.ts";
import { deliveries, fanOutWork } from "./deliveries.ts";
import { idleDispatcher, idleService } from "./idle.ts";
import { firstImport, secondImport } from "./imports.ts";
import { openMeter } from "./meter.ts";
import { chargesOfOneAccount } from "./one-account.ts";
import { REQUESTS } from "./requests.ts";
import type { Cost, Metered, Work } from "./work.ts";

/** Every kind of work, in the order of the table. */
export const WORKS: readonly Work[] = [
  ...REQUESTS,
  chargesOfOneAccount,
  idleService,
  fanOutWork,
  deliveries,
  idleDispatcher,
  firstImport,
  secondImport,
];

/** Processor time of each kind of work, in the program and in PostgreSQL. A failure is a result too. */
export async function measureCapacity(bench: Bench, works: readonly Work[]): Promise<Cost[]> {
  const meter = await openMeter(bench);
  const costs: Cost[] = [];
  for (const [index, { open, ...declared }] of works.entries()) {
    bench.interruption.throwIfAborted();
    bench.say(`[${index + 1}/${works.length}] ${declared.name}`);
    try {
      const runRound = await open(bench);
      const rounds = await inRounds(bench, declared.name, () => runRound(meter));
      costs.push({ ...declared, measured: costOf(rounds) });
    } catch (error) {
      bench.say(`${declared.name} could not be measured: ${(error as Error).stack}`);
      costs.push({ ...declared, measured: null });
    }
  }
  return costs;
}

function costOf(rounds: readonly Metered[]): NonNullable<Cost["measured"]> {
  const each = (value: (round: Metered) => number | null, unit: string) => {
    const values = rounds.map((round) => {
      const found = value(round);
      return found === null ? null : found / round.units;
    });
    const known = values.filter((found) => found !== null);
    return known.length === values.length ? spread(known, unit) : null;
  };
  const micros = (ms: number | null) => (ms === null ? null : ms * 1000);
  return {
    program: each(({ programMs }) => micros(programMs), "µs") as NonNullable<ReturnType<typeof each>>,
    postgres: each(({ postgresMs }) => micros(postgresMs), "µs"),
    wal: each(({ walBytes }) => walBytes, "bytes") as NonNullable<ReturnType<typeof each>>,
    sent: each(({ sentBytes }) => sentBytes, "bytes"),
    database: each(({ databaseBytes = null }) => databaseBytes, "bytes"),
    perSecond: spread(
      rounds.map(({ units, seconds }) => units / seconds),
      "a second",
    ),
  };
}

/** The costs as lines for a terminal. */
export const capacityLines = (costs: readonly Cost[]): string[] =>
  table(
    [
      "work",
      "per",
      "process",
      "its µs",
      "PostgreSQL µs",
      "WAL bytes",
      "bytes sent",
      "from PostgreSQL",
      "a second",
      "what",
    ],
    costs.map(({ name, unit, process, measured, what }) => [
      name,
      unit,
      process,
      ...(["program", "postgres", "wal", "sent", "database", "perSecond"] as const).map(
        (key) => measured?.[key]?.median ?? "–",
      ),
      what,
    ]),
  );
