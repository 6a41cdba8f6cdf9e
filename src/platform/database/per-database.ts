import type { Database } from "../context.ts";

/** Creates one `T` per database when it is first needed. For caches, which are valid for one database only. */
export function perDatabase<T>(make: (db: Database) => T): (db: Database) => T {
  const made = new WeakMap<Database, T>();
  return (db) => {
    const existing = made.get(db);
    if (existing !== undefined) return existing;
    const fresh = make(db);
    made.set(db, fresh);
    return fresh;
  };
}
