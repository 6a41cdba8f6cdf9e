import type { Bench } from "./bench.ts";
import type { Finding } from "./measure.ts";
import type { Spread } from "./report.ts";
import { median, medianRatio, rounded } from "./statistics.ts";

/** Runs the rounds that the sizes require, one after the other. */
export async function inRounds<T>(
  bench: Bench,
  what: string,
  run: (round: number) => Promise<T>,
): Promise<T[]> {
  const found: T[] = [];
  for (let round = 0; round < bench.sizes.rounds; round++) {
    bench.say(`  ${what}: round ${round + 1} of ${bench.sizes.rounds}`);
    found.push(await run(round));
  }
  return found;
}

/** Result of one round for the service and its limit, in the same unit. */
export interface Pair {
  subject: number;
  limit: number;
}

/** Ratio of the service to its limit: the median of the rounds' ratios. */
export function ratioOf(
  pairs: readonly Pair[],
  unit: string,
  details: Record<string, unknown> = {},
): Finding {
  const subjects = pairs.map(({ subject }) => subject);
  const limits = pairs.map(({ limit }) => limit);
  return {
    value: rounded(medianRatio(subjects, limits)),
    details: { ...details, subject: spread(subjects, unit), limit: spread(limits, unit) },
  };
}

/** A median with the values of its rounds. */
export const spread = (values: readonly number[], unit: string): Spread => ({
  median: rounded(median(values)),
  unit,
  rounds: values.map(rounded),
});
