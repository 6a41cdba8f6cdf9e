import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { newEndpointSecret, sealEndpointSecret, secretPrefixOf } from "../secret.ts";
import { noSuchEndpoint } from "./endpoints.ts";

/**
 * Gives an endpoint a new secret in the place of the old one, with which nothing is signed from then on. The secret is
 * in this answer and nowhere else. ProblemError not_found.
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
