import type { Request } from "express";
import { shownDemoKey } from "../../accounts/keys/demo-key.ts";
import { isOnThisMachine } from "../../platform/config/settings.ts";
import type { EntryContext } from "../../platform/context.ts";

/**
 * The demo's key for the page that a request asks for, or null. A page of another site could reach this machine under a
 * name of its own and read the key, so the request must name this machine too.
 */
export async function demoKeyFor(
  context: EntryContext,
  { hostname = "" }: Pick<Request, "hostname">,
): Promise<string | null> {
  const isAskedHere = isOnThisMachine({ publicUrl: context.config.publicUrl, host: hostname });
  return isAskedHere ? shownDemoKey(context) : null;
}
