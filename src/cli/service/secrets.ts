import type { EntryContext } from "../../platform/context.ts";
import { renewSecretsCheck, requireSecretsKey } from "../../platform/installation.ts";
import { resealSecrets } from "../../webhooks/reseal.ts";

/**
 * Makes sure that SECRETS_KEY is the right one, and brings what is sealed under its first key. OperatorError when the
 * key is missing, or not the one used before.
 */
export async function prepareSecrets(context: EntryContext): Promise<void> {
  await requireSecretsKey(context);
  await resealSecrets(context);
  // Last: by this value a later start knows that the first key is enough.
  await renewSecretsCheck(context);
}
