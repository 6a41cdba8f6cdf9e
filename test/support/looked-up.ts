import type { Caller } from "../../src/accounts/keys/caller.ts";
import { lookUpCarrier } from "../../src/carriers/carrier-lookup.ts";
import type { components } from "../../src/generated/types.ts";
import type { Context } from "../../src/platform/context.ts";

/** The carrier that the lookup of a USDOT number answers with. */
export const lookedUp = async (
  context: Context,
  caller: Caller,
  usdot: string,
): Promise<components["schemas"]["CarrierOut"]> =>
  JSON.parse(String((await lookUpCarrier(context, caller, usdot)).json));
