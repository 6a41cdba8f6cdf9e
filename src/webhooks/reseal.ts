import type { Context } from "../platform/context.ts";
import { loadSql } from "../platform/database/sql.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { openEndpointSecret, sealEndpointSecret } from "./secret.ts";

const RESEAL_SQL = loadSql(import.meta.url, "reseal.sql");
const BATCH_SIZE = 1_000;

interface Sealed {
  id: number;
  secret_sealed: Buffer;
}

/**
 * Seals under the first key of SECRETS_KEY what is sealed under another, so that the other can be left out at a later
 * start; deliveries and rotations go on meanwhile. OperatorError where a secret's key is not there any more.
 */
export async function resealSecrets(context: Context): Promise<void> {
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    const { rows }: { rows: Sealed[] } = await context.db.bulkPool.query<Sealed>(
      `SELECT id, secret_sealed FROM webhook_endpoint
       WHERE id > $1 AND deleted_at IS NULL ORDER BY id LIMIT ${BATCH_SIZE}`,
      [afterId],
    );
    await reseal(
      context,
      rows.filter(({ secret_sealed }) => context.secrets.isOutdated(secret_sealed)),
    );
    afterId = rows.at(-1)?.id;
  }
}

async function reseal(context: Context, outdated: readonly Sealed[]): Promise<void> {
  if (outdated.length === 0) return;
  await context.db.bulkPool.query(RESEAL_SQL, [
    outdated.map(({ id }) => id),
    outdated.map(({ secret_sealed }) => secret_sealed),
    outdated.map((sealed) => sealEndpointSecret(context, sealed.id, opened(context, sealed))),
  ]);
}

function opened(context: Context, { id, secret_sealed }: Sealed): string {
  try {
    return openEndpointSecret(context, id, secret_sealed);
  } catch {
    throw new OperatorError(
      `SECRETS_KEY does not open the signing secret of webhook endpoint ${id}: name the key that was used before too, ` +
        "behind the first one, separated by a comma.",
    );
  }
}
