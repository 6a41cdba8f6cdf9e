/** The median: the mean of the two middle values when their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new Error("An empty list has no median.");
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** The value that 95% of the values do not exceed. */
export function p95(values: readonly number[]): number {
  const value = [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1];
  if (value === undefined) throw new Error("An empty list has no percentile.");
  return value;
}

/**
 * The median of the ratios of values measured right after each other: other work of the machine affects both equally.
 */
export const medianRatio = (values: readonly number[], limits: readonly number[]): number =>
  median(values.map((value, index) => value / (limits[index] as number)));

/** To four significant digits, for people and files. */
export const rounded = (value: number): number => Number(value.toPrecision(4));
