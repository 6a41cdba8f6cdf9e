import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { newEndpointSecret, sealEndpointSecret, secretPrefixOf } from "../secret.ts";
import { noSuchEndpoint } from "./endpoints.ts";
import * as sql from "./statements.ts";

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
  // Through SQL: an id beyond Prisma's Int is an endpoint that does not exist, and no error.
  const { rowCount } = await sql.rotateSecret.run(context.db.pool, {
    endpointId,
    accountId,
    sealed: sealEndpointSecret(context, endpointId, secret),
    prefix: secretPrefixOf(secret),
  });
  if (rowCount === 0) throw noSuchEndpoint();
  return { id: endpointId, secret, secret_prefix: secretPrefixOf(secret) };
}
