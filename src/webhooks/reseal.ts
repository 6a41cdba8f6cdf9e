import type { Context } from "../platform/context.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { openEndpointSecret, sealEndpointSecret } from "./secret.ts";
import * as sql from "./statements.ts";

const BATCH_SIZE = 1_000;

/**
 * Seals under the first key of SECRETS_KEY what is sealed under another, so that the other can be left out at a later
 * start; deliveries and rotations go on meanwhile. OperatorError where a secret's key is not there any more.
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
      `SECRETS_KEY does not open the signing secret of webhook endpoint ${id}: name the key that was used before too, ` +
        "behind the first one, separated by a comma.",
    );
  }
}
