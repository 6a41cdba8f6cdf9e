// Webhooks: customers' endpoints, and the signed deliveries of events to them.
// It owns all tables whose names begin with webhook_.
// It promises that only its own account sees and changes an endpoint, and that a secret is shown once and stored encrypted.
import { readAccount } from "../../accounts/accounts.ts";
import type { Caller } from "../../accounts/keys/caller.ts";
import { planScope } from "../../events/scope.ts";
import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { instanceId } from "../../platform/installation/installation.ts";
import { filtersOf, filtersOut, type Payload, type StoredFilters } from "./filters.ts";

export type WebhookOut = components["schemas"]["WebhookOut"];

/** What customers see of an endpoint's row: all but its secrets. */
interface StoredEndpoint extends StoredFilters {
  id: number;
  url: string;
  description: string | null;
  eventTypes: string[];
  active: boolean;
  failureStreak: number;
  disabledReason: string | null;
  secretPrefix: string;
  createdAt: Date;
  payload: string;
  honorRetryAfter: boolean;
  corrections: boolean;
  changes: boolean;
  previousSecretUntil: Date | null;
}

type ShownEndpoint = Required<Omit<WebhookOut, "secret">>;

/** An endpoint in the contract's form, without its secret. */
export const endpointOut = (endpoint: StoredEndpoint, now: Date): ShownEndpoint => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.eventTypes as WebhookOut["event_types"],
  active: endpoint.active,
  failure_streak: endpoint.failureStreak,
  disabled_reason: endpoint.disabledReason,
  secret_prefix: endpoint.secretPrefix,
  created_at: endpoint.createdAt.toISOString(),
  filters: filtersOut(filtersOf(endpoint)),
  payload: endpoint.payload as Payload,
  honor_retry_after: endpoint.honorRetryAfter,
  corrections: endpoint.corrections,
  changes: endpoint.changes,
  previous_secret_valid_until: validUntil(endpoint, now),
});

/** Until when deliveries are also signed with the secret before; null outside the overlap of a rotation. */
const validUntil = ({ previousSecretUntil: until }: StoredEndpoint, now: Date): string | null =>
  until !== null && until > now ? until.toISOString() : null;

/** Who made each of an account's endpoints, as far as it is known. */
export async function endpointMakers(
  { db }: Context,
  accountId: number,
): Promise<Map<number, string | null>> {
  const made = await db.prisma.webhookEndpoint.findMany({
    where: { accountId, deletedAt: null },
    select: { id: true, madeBy: true },
  });
  return new Map(made.map(({ id, madeBy }) => [id, madeBy]));
}

/** Maximum length of the contract's list. */
const LONGEST_LIST = 1_000;

/** The endpoints of an account, oldest first: all active ones, and the newest paused ones up to the limit. */
async function listEndpoints(context: Context, accountId: number): Promise<WebhookOut[]> {
  const endpoints = await context.db.prisma.webhookEndpoint.findMany({
    where: { accountId, deletedAt: null },
    omit: { secretSealed: true, previousSecretSealed: true },
    orderBy: [{ active: "desc" }, { id: "desc" }],
    take: LONGEST_LIST,
  });
  const now = context.clock.now();
  return endpoints.sort((one, other) => one.id - other.id).map((endpoint) => endpointOut(endpoint, now));
}

/** The caller's endpoints, and the event types that the plan includes. */
export async function readEndpoints(
  context: Context,
  caller: Pick<Caller, "accountId" | "feeds">,
): Promise<components["schemas"]["WebhooksOut"]> {
  return {
    data: await listEndpoints(context, caller.accountId),
    available_event_types: [...planScope(caller).keys()],
  };
}

/** One endpoint of the account. ProblemError not_found. */
export async function readEndpoint(
  context: Context,
  accountId: number,
  endpointId: number,
): Promise<WebhookOut> {
  const endpoint = await findEndpoint(context, { endpointId, accountId });
  if (endpoint === null) throw noSuchEndpoint();
  return endpointOut(endpoint, context.clock.now());
}

/** The largest value of PostgreSQL's integer. */
const MOST_ID = 2_147_483_647;

/** An endpoint that is not deleted, without its secrets; with `accountId` only if it is that account's. Null: none. */
export async function findEndpoint(
  { db }: Context,
  { endpointId, accountId }: { endpointId: number; accountId?: number },
) {
  // Prisma refuses a larger number.
  if (endpointId > MOST_ID) return null;
  return db.prisma.webhookEndpoint.findFirst({
    where: { id: endpointId, deletedAt: null, ...(accountId !== undefined && { accountId }) },
    omit: { secretSealed: true, previousSecretSealed: true },
  });
}

/** An endpoint as operators see it. Its URL has no query, which often holds a secret of the receiver. */
export type EndpointListed = Omit<ShownEndpoint, "secret_prefix"> & {
  account_id: number;
  /** Queued deliveries. */
  queued: number;
};

/** The endpoints of one account or of all, oldest first, also paused ones. OperatorError if there is no such account. */
export async function listEveryEndpoint(context: Context, accountId?: number): Promise<EndpointListed[]> {
  if (accountId !== undefined) await readAccount(context, accountId);
  const { db, clock } = context;
  const rows = await sql.listEvery(db.pool, { accountId: accountId ?? null });
  return rows.map((row) => {
    const { id, url, secret_prefix: _, ...shown } = endpointOut(row, clock.now());
    return { id, account_id: row.accountId, url: url.replace(/[?#].*/, ""), ...shown, queued: row.queued };
  });
}

/** The owner of cursors about an endpoint: they are valid for this endpoint of this account alone. */
export const cursorOwner = async (context: Context, accountId: number, endpointId: number): Promise<string> =>
  `${await instanceId(context)} ${accountId} ${endpointId}`;

/** The same error for another account's endpoint and for none, so that nobody learns which ids exist. */
export const noSuchEndpoint = (): ProblemError =>
  new ProblemError("not_found", "Your account has no webhook endpoint of this id.");

/** The problem when something should be sent to a paused endpoint. */
export const endpointPaused = (endpointId: number): ProblemError =>
  new ProblemError(
    "endpoint_paused",
    `The endpoint is paused, so nothing is sent to it. Enable it first: PATCH /v1/webhooks/${endpointId} with active true.`,
  );
