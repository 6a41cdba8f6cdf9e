/** A count with separators: 1,234. */
export const shownCount = (count: number): string => count.toLocaleString("en-US");

/** The noun after a count: `row` for 1, otherwise `rows`. */
export const nounFor = (count: number, one: string, several = `${one}s`): string =>
  count === 1 ? one : several;

/** A count with its noun: `1 row`, `2,000 rows`. */
export const countOf = (count: number, one: string, several?: string): string =>
  `${shownCount(count)} ${nounFor(count, one, several)}`;

/** A share in tenths of a percent: `2.5%`. */
export const shareOf = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(whole, 1)).toFixed(1)}%`;

/** A share in whole percent, to the nearest: `28%`. Only all of it, or more, is 100%. */
export const percentOf = (part: number, whole: number): string => {
  const percent = Math.round((100 * part) / Math.max(whole, 1));
  return `${part < whole ? Math.min(99, percent) : percent}%`;
};
