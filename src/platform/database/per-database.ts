import type { Database } from "./db.ts";

/** One `T` per database, made when first wanted: what is kept of one means nothing in another. */
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
