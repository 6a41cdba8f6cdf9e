/** The noun after a count: `row` for 1, otherwise `rows`. */
export const nounFor = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);

/** A count with its noun: `1 row`, `2,000 rows`. */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${nounFor(count, noun)}`;
