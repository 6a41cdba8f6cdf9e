import { LRUCache } from "lru-cache";

/** An LRU cache with a budget of bytes. */
export interface ByteCache<T> {
  /** The value of `key`, made when it is missing. Concurrent gets of a key share one call of `make`. */
  get(key: string, make: () => Promise<T>): Promise<T>;
  /** The value of `key` if it is cached. */
  find(key: string): T | undefined;
}

// The size of a key and its entry besides the value.
const ENTRY_BYTES = 200;

/** A value larger than the budget is returned but not cached. A failure of `make` is not cached either. */
export function createByteCache<T>(maxBytes: number, sizeBytesOf: (value: T) => number): ByteCache<T> {
  const cached = new LRUCache<string, { value: T }>({
    maxSize: maxBytes,
    sizeCalculation: ({ value }, key) => sizeBytesOf(value) + 2 * key.length + ENTRY_BYTES,
  });
  const making = new Map<string, Promise<T>>();
  return {
    find: (key) => cached.get(key)?.value,
    get(key, make) {
      const found = cached.get(key);
      if (found) return Promise.resolve(found.value);
      const shared = making.get(key);
      if (shared) return shared;
      const fresh = make()
        .then((value) => {
          cached.set(key, { value });
          return value;
        })
        .finally(() => making.delete(key));
      making.set(key, fresh);
      return fresh;
    },
  };
}
