import type { Context } from "../../platform/context.ts";
import { instanceId } from "../../platform/installation/installation.ts";

/** The owner of cursors about an endpoint: they are valid for this endpoint of this account alone. */
export const cursorOwner = async (context: Context, accountId: number, endpointId: number): Promise<string> =>
  `${await instanceId(context)} ${accountId} ${endpointId}`;
