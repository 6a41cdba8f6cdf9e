import type { Run, Spread } from "../../bench/frame/report.ts";

/** The report of `npm run study -- peers`. */
export interface PeersReport extends Run {
  peers: Comparison[];
}

/** The same work done by this service and by other programs, with the same load. */
export interface Comparison {
  name: string;
  what: string;
  /** Of a rate more is better, of a time less. */
  unit: "answers/s" | "s";
  /** This service first. */
  results: { program: string; result: Spread | null; error?: string }[];
}

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
