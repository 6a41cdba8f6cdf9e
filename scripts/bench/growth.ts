import type { Finding } from "./measure.ts";
import { spread } from "./rounds.ts";
import { median, rounded } from "./statistics.ts";

/**
 * How much more the worst of the larger sizes costs than the smallest, by what `costOf` makes of a median: 1 where the
 * cost does not grow. `rounds` has a list of each size's values for every round.
 */
export function growthOf(
  sizes: readonly number[],
  rounds: readonly (readonly number[])[],
  unit: string,
  costOf: (value: number, size: number) => number,
): Finding {
  const bySize = sizes.map((size, place) => ({
    size,
    values: rounds.map((round) => round[place] ?? Number.NaN),
  }));
  const [least = Number.NaN, ...others] = bySize.map(({ size, values }) => costOf(median(values), size));
  return {
    value: rounded(Math.max(...others.map((cost) => cost / least))),
    details: { sizes: bySize.map(({ size, values }) => ({ size, ...spread(values, unit) })) },
  };
}
