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
 * Encrypts secrets of other keys again with the first key of SECRETS_KEY, so that a later start can leave the other keys
 * out. Deliveries and rotations continue meanwhile. OperatorError when a secret's key is missing.
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
      `No key of SECRETS_KEY decrypts the signing secret of webhook endpoint ${id}. Add the key that was used before, ` +
        "behind the first one, separated by a comma.",
    );
  }
}
