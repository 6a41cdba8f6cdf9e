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
  const { count } = await context.db.prisma.webhookEndpoint.updateMany({
    where: { id: endpointId, accountId, deletedAt: null },
    data: {
      secretSealed: new Uint8Array(sealEndpointSecret(context, endpointId, secret)),
      secretPrefix: secretPrefixOf(secret),
    },
  });
  if (count === 0) throw noSuchEndpoint();
  return { id: endpointId, secret, secret_prefix: secretPrefixOf(secret) };
}
