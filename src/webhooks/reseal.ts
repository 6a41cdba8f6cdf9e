import type { Context } from "../platform/context.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { openEndpointSecret, sealEndpointSecret } from "./secret.ts";
import * as sql from "./statements.ts";

const BATCH_SIZE = 1_000;

/**
 * Encrypts secrets of other keys again with the first key of SECRETS_KEY, so that a later start can leave the other keys
 * out. Deliveries and rotations continue meanwhile. OperatorError when a secret's key is missing.
 */
export async function resealSecrets(context: Context): Promise<void> {
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    const rows = await sealedAfter(context, afterId);
    await reseal(
      context,
      rows.filter(({ secret_sealed }) => context.secrets.isOutdated(secret_sealed)),
    );
    afterId = rows.at(-1)?.id;
  }
}

async function sealedAfter({ db }: Context, afterId: number): Promise<sql.SealedSecretsRow[]> {
  const { rows } = await sql.sealedSecrets.run(db.bulkPool, { afterId, most: BATCH_SIZE });
  return rows;
}

async function reseal(context: Context, outdated: readonly sql.SealedSecretsRow[]): Promise<void> {
  if (outdated.length === 0) return;
  await sql.reseal.run(context.db.bulkPool, {
    endpointIds: outdated.map(({ id }) => id),
    was: outdated.map(({ secret_sealed }) => secret_sealed),
    anew: outdated.map((sealed) => sealEndpointSecret(context, sealed.id, opened(context, sealed))),
  });
}

function opened(context: Context, { id, secret_sealed }: sql.SealedSecretsRow): string {
  try {
    return openEndpointSecret(context, id, secret_sealed);
  } catch {
    throw new OperatorError(
      `No key of SECRETS_KEY decrypts the signing secret of webhook endpoint ${id}. Add the key that was used before, ` +
        "behind the first one, separated by a comma.",
    );
  }
}
