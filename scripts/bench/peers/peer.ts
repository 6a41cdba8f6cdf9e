/** A program that serves the feed's records. */
export interface Peer {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** The path of a page of 100 records, from page 1. */
  page(page: number): string;
  /** The same of the records of these states. */
  filteredPage(page: number, states: readonly string[]): string;
  /** The path of all records as CSV. */
  csv: string;
}
