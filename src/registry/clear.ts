import type pg from "pg";
import { DATASETS } from "./datasets.ts";

/** Forgets the whole registry, as before the first import. Runs in the caller's transaction. */
export async function clearRegistry(client: pg.ClientBase): Promise<void> {
  await client.query(
    `TRUNCATE ${DATASETS.join(", ")}, authority, pending_revocation, shared_contact, source, cancellation_notice,
       seen_order`,
  );
}
