import { LRUCache } from "lru-cache";

/** An LRU cache with a budget of bytes. */
export interface ByteCache<T> {
  /** The value of `key`, made when it is missing. Concurrent gets of a key share one call of `make`. */
  get(key: string, make: () => Promise<T>): Promise<T>;
  /** The value of `key` if it is cached. */
  find(key: string): T | undefined;
  /** Removes the value of `key`. */
  delete(key: string): void;
}

// The size of a key and its entry besides the value.
const ENTRY_BYTES = 200;

/** Who needs a value. It is told of each get and find that gave it, before anything else can happen, and of the cache itself. */
export interface Keepers<T> {
  taken(value: T): void;
  /** The cache does not need the value any more. */
  dropped(value: T): void;
}

/** A value larger than the budget is returned but not cached. A failure of `make` is not cached either. */
export function createByteCache<T>(
  maxBytes: number,
  sizeBytesOf: (value: T) => number,
  keepers?: Keepers<T>,
): ByteCache<T> {
  const cached = new LRUCache<string, { value: T }>({
    maxSize: maxBytes,
    ...(keepers && { dispose: ({ value }) => keepers.dropped(value) }),
  });
  const making = new Map<string, { promise: Promise<T>; takers: number }>();
  const find = (key: string): T | undefined => {
    const found = cached.get(key);
    if (found) keepers?.taken(found.value);
    return found?.value;
  };
  // Nobody may come between the last taker that is counted and the end of the making.
  const keep = (key: string, value: T): void => {
    for (let taker = making.get(key)?.takers ?? 0; taker > 0; taker--) keepers?.taken(value);
    making.delete(key);
    const size = sizeBytesOf(value) + 2 * key.length + ENTRY_BYTES;
    if (size > maxBytes) return;
    keepers?.taken(value);
    cached.set(key, { value }, { size });
  };
  return {
    find,
    delete: (key) => void cached.delete(key),
    get(key, make) {
      const found = find(key);
      if (found !== undefined) return Promise.resolve(found);
      const shared = making.get(key);
      if (shared) {
        shared.takers += 1;
        return shared.promise;
      }
      const promise = make().then(
        (value) => {
          keep(key, value);
          return value;
        },
        (error: unknown) => {
          making.delete(key);
          throw error;
        },
      );
      making.set(key, { promise, takers: 1 });
      return promise;
    },
  };
}
