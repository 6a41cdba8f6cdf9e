import type { Context } from "../../platform/context.ts";
import { readOneSnapshot } from "../../platform/database/transaction.ts";
import * as sql from "./statements.ts";

/** The format named in the first line of an export. */
export const EXPORT_FORMAT = "tdf removals 1";

const REQUESTS_AT_ONCE = 1_000;

/** One line of an export: a request with everything needed to keep it in effect. */
export interface ExportedRemoval {
  request_id: number;
  requested_at: string;
  client_digest: string;
  requester_digest: string | null;
  identifier_digests: Record<string, string>;
  identifiers: { kind: string; value: string; state: string; is_blanked: boolean }[];
  businesses: { usdot: number; matched_at: string }[];
  decisions: { decision: string; decided_at: string; decided_by: string; reason: string }[];
}

/**
 * Writes the whole removal list as lines of JSON, from one snapshot: the format, every request, and the number of
 * requests, which shows whether a file is complete. Returns that number.
 */
export async function exportRemovals(
  context: Context,
  write: (lines: readonly string[]) => Promise<void>,
): Promise<number> {
  return context.db.bulkTransaction(async (client) => {
    await readOneSnapshot(client, { isReadOnly: true });
    await write([JSON.stringify({ format: EXPORT_FORMAT })]);
    let requests = 0;
    for (let after = 0; ; ) {
      const { rows } = await sql.exportRequests.run(client, { after, most: REQUESTS_AT_ONCE });
      await write(rows.map(({ line }) => line));
      requests += rows.length;
      if (rows.length < REQUESTS_AT_ONCE) break;
      after = rows.at(-1)?.id ?? 0;
    }
    await write([JSON.stringify({ requests })]);
    return requests;
  });
}
