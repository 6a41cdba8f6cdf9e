// The ways in which the answers about another business tell of one that it is connected with.
import { WATCH_MAIL_COMPOSERS } from "../../../src/carriers/watch-mail.ts";
import type { components } from "../../../src/generated/types.ts";
import type { Context } from "../../../src/platform/context.ts";
import type { DeliveredChange } from "./watched-paths.ts";

type Schemas = components["schemas"];

/** Ids of the changes that the story records are above this one. */
export const STORY_CHANGES = 1_000_000;

/** Another business that is connected with one, and a delivery of the change that tells so. */
export interface Connected {
  usdot: number;
  change: DeliveredChange;
}

/** Records that each business is connected with another one, which names it as its predecessor, as changes of that other one. */
export async function putConnections(
  { db }: Context,
  pairs: readonly { usdot: number; other: number }[],
  now: string,
): Promise<void> {
  await db.pool.query(
    `INSERT INTO carrier_change (id, usdot, category, field, item, old_value, new_value, as_of, seen_at, source)
     SELECT $3::int + 1000 + row_number() OVER (ORDER BY index, change.category), other, change.category, change.field, change.item,
       NULL, change.value, $2::date, $2, 'census'
     FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS list (pair, index)
     CROSS JOIN LATERAL (SELECT (pair ->> 'usdot')::int AS usdot, (pair ->> 'other')::int AS other) AS company
     CROSS JOIN LATERAL (VALUES
       ('census', 'prior_usdot', NULL, to_jsonb(usdot)),
       ('connection', 'declared_predecessor', jsonb_build_object('usdot', usdot, 'value', concat(other, '>', usdot)),
         to_jsonb('now'::text))) AS change (category, field, item, value)`,
    [JSON.stringify(pairs), new Date(now), STORY_CHANGES],
  );
}

/** The ways by name, each with whether it shows now that the other business is connected with this one. */
export function connectedPaths(
  get: (path: string) => Promise<Response>,
  dot: string,
  { usdot: other, change }: Connected,
): Record<string, () => Promise<boolean>> {
  const connections = async (): Promise<Partial<Schemas["ConnectionsOut"]>> =>
    (await (await get(`carriers/${other}/connections?limit=50`)).json()) as Partial<
      Schemas["ConnectionsOut"]
    >;
  // How many businesses an answer counts, beside those that are listed and are not this one.
  const countsIn = async (path: string): Promise<boolean> => {
    const { connected } = (await (await get(path)).json()) as Partial<Schemas["CarrierOut"]>;
    const { data = [] } = await connections();
    return (connected ?? 0) > data.filter(({ usdot }) => usdot !== dot).length;
  };
  const hasChange = async (path: string, of: string): Promise<boolean> => {
    const { data = [] } = (await (await get(path)).json()) as { data?: { field: string | null }[] };
    return data.some(({ field }) => field === of);
  };
  const connection = "declared_predecessor";
  return {
    "the connections of another": async () =>
      ((await connections()).data ?? []).some(({ usdot }) => usdot === dot),
    "the count in a look-up of another": () => countsIn(`carriers/${other}`),
    "the count in a timeline of another": () => countsIn(`carriers/${other}/timeline?limit=1`),
    "the change in a timeline of another": () =>
      hasChange(`carriers/${other}/timeline?category=connection`, connection),
    "a change of another that is watched": () =>
      hasChange(`carrier-changes?category=connection&usdot=${other}`, connection),
    "its number in a timeline of another": () =>
      hasChange(`carriers/${other}/timeline?category=census`, "prior_usdot"),
    "its number in a change of another": () =>
      hasChange(`carrier-changes?category=census&usdot=${other}`, "prior_usdot"),
    "a delivery of a change of another": async () => {
      const path = `webhooks/${change.endpointId}/deliveries/${change.deliveryId}`;
      const { body } = (await (await get(path)).json()) as Schemas["DeliveryDetailOut"];
      return body !== null;
    },
  };
}

/** Whether a mail tells of the connection of the other business. */
export const tellsOfConnection = (mail: string, { usdot }: Connected): boolean =>
  mail
    .split("\n\n")
    .some(
      (part) => part.includes(`USDOT ${usdot}\n`) && part.includes("connected by a declared predecessor"),
    );

/** The text that a mail about the story's changes, which waits in the outbox, would be sent with now. */
export async function waitingMail(context: Context, accountId: number): Promise<string> {
  const queued = { accountId, asOf: "2026-11-20", lastChangeId: STORY_CHANGES, newestId: 2 * STORY_CHANGES };
  const composed = await WATCH_MAIL_COMPOSERS.carrier_changes?.(context, JSON.stringify(queued));
  return composed?.body ?? "";
}
