import { LRUCache } from "lru-cache";
import { refusalOfUrl } from "./address-rules.ts";

/** Where a URL leads, in the parts a request is made of. */
export interface Target {
  origin: string;
  /** With the query. */
  path: string;
}

/** How many URLs are remembered with what was found: judging one takes longer than all else that is done for a request. */
const MOST_REMEMBERED = 1_000;

/** Takes URLs apart, by the same parser that judges them; null for one that is refused. */
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
