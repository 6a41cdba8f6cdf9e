import type { Cover } from "./covers.ts";

/** A row of the history of ended policies. Some announce an end that never came. */
export interface Ending {
  how: "cancelled" | "replaced" | "renamed" | "transferred";
  /** The day on which the insurer reported it to the registry. */
  reportedOn: number;
  /** The day on which it takes effect, often after `reportedOn`. */
  on: number;
}

/** One policy, bond or trust fund, from its first filing to its end. Days are counted from 1970-01-01. */
export interface Policy {
  cover: Cover;
  number: string;
  insurer: string;
  effective: number;
  /** The days it was filed, the first one first. */
  filings: number[];
  endings: Ending[];
  /** The first day on which it is no longer in force. */
  until?: number;
  /** Whether it is removed from the file of policies after its end: some stay there. */
  leavesFile: boolean;
  /** Makes the draws of this policy's rows differ from those of others. */
  topic: number;
}

/** True when the policy is in force and the registry knows of it. */
export const isInForce = ({ filings, effective, until }: Policy, day: number): boolean =>
  (filings[0] ?? day + 1) <= day && effective <= day && (until === undefined || until > day);
