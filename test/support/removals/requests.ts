import { servedFeeds } from "../../../src/feeds/versions/feeds-list.ts";
import type { Context } from "../../../src/platform/context.ts";
import { lockList, putOnList, takeOffList } from "../../../src/suppression/removal-list.ts";

/** Puts businesses or a contact on the removal list, as a request does. Returns the request's number. */
export const requestRemoval = (
  { db }: Context,
  { usdots = [], phone }: { usdots?: readonly number[]; phone?: string },
  now: Date,
): Promise<number> =>
  db.transaction(async (client) => {
    await lockList(client);
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO removal_request (id, requested_at, client_digest, identifier_digests)
       SELECT coalesce(max(id), 0) + 1, $1, '', '{}' FROM removal_request RETURNING id`,
      [now],
    );
    const requestId = Number(rows[0]?.id);
    const businesses = usdots.map((usdot) => ({ requestId, usdot }));
    const contacts = phone === undefined ? [] : [{ requestId, value: phone }];
    await putOnList(client, servedFeeds, { businesses, contacts }, now);
    return requestId;
  });

/** Takes what a request removed off the list. */
export const undoRequest = ({ db }: Context, requestId: number, now: Date): Promise<number> =>
  db.transaction(async (client) => {
    await lockList(client);
    return takeOffList(client, [requestId], now);
  });
