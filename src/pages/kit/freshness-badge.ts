import { badge } from "./badge.ts";

/** Whether data are fresh enough to be served. */
export const freshnessBadge = {
  fresh: badge("good", "fresh"),
  stale: badge("bad", "stale, not served"),
  "not live": badge("plain", "not live yet"),
} as const;
