/** A noun as it follows a count: `row` after 1, `rows` after any other. */
export const nounFor = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);

/** A count with its noun: `1 row`, `2 rows`. */
export const countOf = (count: number, noun: string): string => `${count} ${nounFor(count, noun)}`;
