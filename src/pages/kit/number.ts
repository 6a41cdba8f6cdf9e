/** A count with separators: 1,234. */
export const shownCount = (count: number): string => count.toLocaleString("en-US");
