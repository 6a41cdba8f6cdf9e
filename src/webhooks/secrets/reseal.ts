import * as sql from "../../generated/sql/webhooks/secrets.ts";
import type { Context } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { openEndpointSecret, sealEndpointSecret } from "./secret.ts";

const BATCH_SIZE = 1_000;

/**
 * Encrypts secrets of other keys again with the first key of SECRETS_KEY, so that a later start can leave the other keys
 * out. Deliveries and rotations continue meanwhile. OperatorError when a secret's key is missing.
 */
export async function resealSecrets(context: Context): Promise<void> {
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    const rows: sql.SealedSecretsRow[] = await sql.sealedSecrets(context.db.bulkPool, {
      afterId,
      most: BATCH_SIZE,
    });
    await reseal(
      context,
      rows.flatMap(secretsOf).filter(({ sealed }) => context.secrets.isOutdated(sealed)),
    );
    afterId = rows.at(-1)?.id;
  }
}

/** A secret of an endpoint, the present one or the one before. */
interface Sealed {
  id: number;
  sealed: Buffer;
}

const secretsOf = ({ id, secret_sealed, previous_secret_sealed }: sql.SealedSecretsRow): Sealed[] =>
  [secret_sealed, previous_secret_sealed].flatMap((sealed) => (sealed === null ? [] : [{ id, sealed }]));

async function reseal(context: Context, outdated: readonly Sealed[]): Promise<void> {
  if (outdated.length === 0) return;
  const replaced = {
    endpointIds: outdated.map(({ id }) => id),
    was: outdated.map(({ sealed }) => sealed),
    anew: outdated.map((secret) => sealEndpointSecret(context, secret.id, opened(context, secret))),
  };
  // In this order: a rotation makes the present secret the one before.
  await sql.reseal(context.db.bulkPool, { ...replaced, isPrevious: false });
  await sql.reseal(context.db.bulkPool, { ...replaced, isPrevious: true });
}

function opened(context: Context, { id, sealed }: Sealed): string {
  try {
    return openEndpointSecret(context, id, sealed);
  } catch {
    throw new OperatorError(
      `No key of SECRETS_KEY decrypts the signing secret of webhook endpoint ${id}. Add the key that was used before, ` +
        "behind the first one, separated by a comma.",
    );
  }
}
