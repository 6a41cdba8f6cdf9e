import type pg from "pg";
import type { Context } from "../../../src/platform/context.ts";
import { deriveRegistry, type RegistryRows } from "../../support/registry/derived-registry.ts";

interface AuthorityState {
  docket: string;
  authority_class: string;
  usdot: number;
  status: string;
  status_source: string;
  granted_on: string | null;
  revocation_pending: boolean;
}

/** The state of the authorities if the registry has these rows; everything is rolled back afterwards. */
export const authoritiesOf = (context: Context, rows: RegistryRows): Promise<AuthorityState[]> =>
  derived(
    context,
    rows,
    `SELECT docket, authority_class, usdot, status, status_source, granted_on, revocation_pending
     FROM authority ORDER BY docket, authority_class, usdot`,
  );

/** What a statement finds in the registry that these rows make; everything is rolled back afterwards. */
export async function derived<T extends pg.QueryResultRow>(
  context: Context,
  rows: RegistryRows,
  statement: string,
): Promise<T[]> {
  const client = await context.db.bulkPool.connect();
  try {
    await client.query("BEGIN");
    await deriveRegistry(client, rows, "2026-11-20");
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}
