import type { Request } from "express";
import { LRUCache } from "lru-cache";
import type { PreparedAnswer, Repeatable } from "../feeds/records/records.ts";
import type { PlainAnswer } from "./answer.ts";

/** Requests that were answered, by key and address, with what it takes to answer them again. */
export interface Repeats {
  /** The answer to a request that was answered before. It is right only if the request's admission charges its rows. */
  find(request: Request): PreparedAnswer | null;
  keep(request: Request, answer: PlainAnswer): void;
}

const MOST_KEPT = 1_000;
/** Longer addresses are not kept, to bound the memory. */
const LONGEST_URL = 500;

export function createRepeats(): Repeats {
  const kept = new LRUCache<string, Repeatable>({ max: MOST_KEPT });
  return {
    find: (request) => {
      const name = nameOf(request);
      return name === null ? null : (kept.get(name)?.prepare() ?? null);
    },
    keep: (request, { repeatable = null }) => {
      const name = nameOf(request);
      if (name === null) return;
      if (repeatable !== null) kept.set(name, repeatable);
    },
  };
}

/** Null for a request that may have another answer than the last one, or none that is charged. */
function nameOf({ method, headers, originalUrl }: Request): string | null {
  const key = headers["x-api-key"];
  const isRepeatable =
    method === "GET" &&
    typeof key === "string" &&
    headers["if-none-match"] === undefined &&
    originalUrl.length <= LONGEST_URL;
  // The part of the key that may be shown. Admission checks the secret, also of a repeated request.
  return isRepeatable ? `${key.slice(0, SHOWN_PART)} ${originalUrl}` : null;
}

const SHOWN_PART = "tdf_live_".length + 8;
