import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { newEndpointSecret, sealEndpointSecret, secretPrefixOf } from "../secret.ts";
import { noSuchEndpoint } from "./endpoints.ts";

/**
 * Gives an endpoint a new secret. After the commit nothing is signed with the old one. Only this answer shows the new
 * secret. ProblemError not_found.
 */
export async function rotateSecret(
  context: Context,
  accountId: number,
  endpointId: number,
): Promise<components["schemas"]["SecretOut"]> {
  const secret = newEndpointSecret();
  const { rowCount } = await context.db.pool.query(
    `UPDATE webhook_endpoint SET secret_sealed = $3, secret_prefix = $4
     WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL`,
    [endpointId, accountId, sealEndpointSecret(context, endpointId, secret), secretPrefixOf(secret)],
  );
  if (rowCount === 0) throw noSuchEndpoint();
  return { id: endpointId, secret, secret_prefix: secretPrefixOf(secret) };
}
