import { resealAnswers } from "../../accounts/idempotency/answer-once.ts";
import type { Context } from "../../platform/context.ts";
import { renewSecretsCheck, requireSecretsKey } from "../../platform/installation/installation.ts";
import { resealSecrets } from "./reseal.ts";

/**
 * Checks SECRETS_KEY and seals every stored secret under its first key. OperatorError when the key is missing, or is not
 * the one used before.
 */
export async function prepareSecrets(context: Context): Promise<void> {
  await requireSecretsKey(context);
  await resealSecrets(context);
  await resealAnswers(context);
  // Last: this value tells a later start that the first key is enough.
  await renewSecretsCheck(context);
}
