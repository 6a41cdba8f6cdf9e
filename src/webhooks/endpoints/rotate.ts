import { type Maker, recordAction } from "../../accounts/people/account-log.ts";
import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { requireShownSecret } from "../../platform/http/outdated-page.ts";
import { newEndpointSecret, sealEndpointSecret, secretPrefixOf } from "../secrets/secret.ts";
import { endpointOut, noSuchEndpoint } from "./endpoints.ts";

/**
 * Gives an endpoint a new secret. After the commit nothing is signed with the old one alone; with an overlap, deliveries
 * are signed with both until it ends. Only this answer shows the new secret. ProblemError not_found; OutdatedPageError for a
 * page that showed another secret.
 */
export async function rotateSecret(
  context: Context,
  accountId: number,
  endpointId: number,
  { overlap_seconds: overlapSeconds = 0 }: components["schemas"]["RotationIn"] = {},
  { person, shownMark }: Maker & { shownMark?: string | null } = {},
): Promise<components["schemas"]["SecretOut"]> {
  const secret = newEndpointSecret();
  const now = context.clock.now();
  const previousUntil = overlapSeconds === 0 ? null : new Date(now.getTime() + overlapSeconds * 1000);
  await context.db.transaction(async (client) => {
    const before = await sql.lockEndpoint(client, { endpointId, accountId });
    if (before === undefined) throw noSuchEndpoint();
    const { previous_secret_valid_until: stillUntil } = endpointOut(before, now);
    requireShownSecret({ mark: before.secretPrefix, previousUntil: stillUntil }, shownMark);
    await sql.rotateSecret(client, {
      endpointId,
      accountId,
      sealed: sealEndpointSecret(context, endpointId, secret),
      prefix: secretPrefixOf(secret),
      previousUntil,
    });
    await recordAction(client, { accountId, person }, { action: "secret_rotated", subject: endpointId, now });
  });
  return {
    id: endpointId,
    secret,
    secret_prefix: secretPrefixOf(secret),
    previous_secret_valid_until: previousUntil?.toISOString() ?? null,
  };
}
