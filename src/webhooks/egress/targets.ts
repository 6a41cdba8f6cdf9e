import { LRUCache } from "lru-cache";
import { refusalOfUrl } from "./address-rules.ts";

/** A URL split into the parts that a request needs. */
export interface Target {
  origin: string;
  /** With the query. */
  path: string;
}

/** Cache size: checking a URL takes longer than everything else that is done for a request. */
const MOST_REMEMBERED = 1_000;

/** Splits URLs with the same parser that checks them; null for a refused URL. */
export function targetsUnder(allowedCidrs: readonly string[]): (url: string) => Target | null {
  const targets = new LRUCache<string, { target: Target | null }>({ max: MOST_REMEMBERED });
  return (url) => {
    const known = targets.get(url);
    if (known !== undefined) return known.target;
    const target = refusalOfUrl(url, allowedCidrs) === null ? targetOf(new URL(url)) : null;
    targets.set(url, { target });
    return target;
  };
}

const targetOf = ({ origin, pathname, search }: URL): Target => ({ origin, path: pathname + search });
