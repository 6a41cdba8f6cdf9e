import { LRUCache } from "lru-cache";

/** Remembers finished values by key, the least used ones forgotten past a budget of bytes. */
export interface ByteCache<T> {
  /** The value of `key`, made when it is not there; wants of one key at the same time share one making. */
  get(key: string, make: () => Promise<T>): Promise<T>;
}

// What a key and its entry cost besides the value.
const ENTRY_BYTES = 200;

/** A value too large for the budget is given, not kept; a failed making is forgotten. */
export function createByteCache<T>(maxBytes: number, sizeBytesOf: (value: T) => number): ByteCache<T> {
  const kept = new LRUCache<string, { value: T }>({
    maxSize: maxBytes,
    sizeCalculation: ({ value }, key) => sizeBytesOf(value) + 2 * key.length + ENTRY_BYTES,
  });
  const making = new Map<string, Promise<T>>();
  return {
    get(key, make) {
      const found = kept.get(key);
      if (found) return Promise.resolve(found.value);
      const shared = making.get(key);
      if (shared) return shared;
      const fresh = make()
        .then((value) => {
          kept.set(key, { value });
          return value;
        })
        .finally(() => making.delete(key));
      making.set(key, fresh);
      return fresh;
    },
  };
}
