import type { Finding } from "./measure.ts";
import { spread } from "./rounds.ts";
import { median, rounded } from "./statistics.ts";

/**
 * Ratio of the highest cost of the larger sizes to the cost of the smallest; 1 when the cost does not grow. `costOf` turns a
 * median into a cost. `rounds` has a list of each size's values for every round.
 */
export function growthOf(
  sizes: readonly number[],
  rounds: readonly (readonly number[])[],
  unit: string,
  costOf: (value: number, size: number) => number,
): Finding {
  const bySize = sizes.map((size, index) => ({
    size,
    values: rounds.map((round) => round[index] ?? Number.NaN),
  }));
  const [least = Number.NaN, ...others] = bySize.map(({ size, values }) => costOf(median(values), size));
  return {
    value: rounded(Math.max(...others.map((cost) => cost / least))),
    details: { sizes: bySize.map(({ size, values }) => ({ size, ...spread(values, unit) })) },
  };
}
