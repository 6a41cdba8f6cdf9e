import type { EventType } from "../../events/event-types.ts";
import { CARRIED_TYPES } from "../../events/event-types.ts";
import * as sql from "../../generated/sql/webhooks/dispatch.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { type ChangeState, readChangeStates } from "../deliveries/change-delivery.ts";
import { bodiesOf, correctionBodiesOf, testDeliveryBody } from "../deliveries/delivery-body.ts";
import type { Payload } from "../endpoints/filters.ts";
import type { CancelReason } from "../queue/cancel-queued.ts";
import type { DeliveredType } from "../queue/delivered-type.ts";
import type { Queued } from "./queued.ts";

/** A cancellation of all deliveries up to one that have no result; of all event types when these are null. */
export interface Cancellation {
  toId: number;
  eventTypes: DeliveredType[] | null;
}

export type EndpointState = sql.LoadEndpointsRow;

/**
 * What to do with a delivery. `wait`: its account is suspended. `cancelled_before`: a cancellation of the endpoint covers it, so nothing is recorded; if it
 * covers every delivery up to one, that is `allTo`.
 */
export type Decision =
  | { kind: "send"; endpoint: EndpointState; body: Buffer }
  | { kind: "cancel"; reason: CancelReason }
  | { kind: "wait" }
  | { kind: "cancelled_before"; allTo: number };

/** What is to be read. */
interface Unread extends Record<"endpointIds" | "eventIds" | "correctionIds", number[]> {
  changes: readonly Queued[];
}

interface EventState {
  bodies: Readonly<Record<Payload, Buffer>>;
  state: string | null;
}

/** Events are few beside deliveries, and each is needed for a short time. */
const MOST_EVENTS = 5_000;
/** Nothing starts while an event is read, so the next ones are read with it. */
const READ_AHEAD = 200;

/**
 * What decides about deliveries: endpoints, events and which plan sees which event. It is read only in send windows, where
 * none of it can change, and is kept until a change has moved the version.
 */
export class SendState {
  readonly #publicUrl: string;
  #version: number | null = null;
  readonly #endpoints = new Map<number, EndpointState>();
  /** Null: the event's business is on the removal list. */
  readonly #events = new Map<number, EventState | null>();
  /** Corrections by their ids, as events. */
  readonly #corrections = new Map<number, EventState | null>();
  readonly #visibility = new Map<string, boolean>();
  /** By delivery, and read for each start: watchlists and the registry change without moving the version. */
  #changes = new Map<number, ChangeState>();

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  useVersion(version: number): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#endpoints.clear();
    this.#events.clear();
    this.#corrections.clear();
    this.#visibility.clear();
  }

  /**
   * Reads what is not known yet about these deliveries; null when all is known. If it has to read events, it reads some of
   * `nextEvents` too.
   */
  load(client: Queryable, all: readonly Queued[], nextEvents: () => Iterable<number>): Promise<void> | null {
    for (const known of [this.#events, this.#corrections]) if (known.size > MOST_EVENTS) known.clear();
    const { endpointIds, eventIds, correctionIds, changes } = this.#unreadOf(all);
    const unread = endpointIds.size + eventIds.size + correctionIds.size + changes.length;
    if (unread === 0 && this.#unknownVisibility(all).size === 0) return null;
    if (eventIds.size > 0) this.#readAhead(eventIds, nextEvents());
    return this.#read(client, all, {
      endpointIds: [...endpointIds],
      eventIds: [...eventIds],
      correctionIds: [...correctionIds],
      changes,
    });
  }

  #unreadOf(all: readonly Queued[]) {
    const endpointIds = new Set<number>();
    const eventIds = new Set<number>();
    const correctionIds = new Set<number>();
    const changes: Queued[] = [];
    for (const queued of all) {
      const { endpoint, eventId, correctionId, changeId, isTest } = queued;
      if (!this.#endpoints.has(endpoint.id)) endpointIds.add(endpoint.id);
      if (changeId !== null) changes.push(queued);
      if (isTest || changeId !== null || this.#told(queued) !== undefined) continue;
      if (correctionId !== null) correctionIds.add(correctionId);
      else if (eventId !== null) eventIds.add(eventId);
    }
    return { endpointIds, eventIds, correctionIds, changes };
  }

  /** Adds some of the next events to those that are to be read. */
  #readAhead(eventIds: Set<number>, nextEvents: Iterable<number>): void {
    const most = eventIds.size + READ_AHEAD;
    for (const id of nextEvents) {
      if (eventIds.size === most) return;
      if (!this.#events.has(id)) eventIds.add(id);
    }
  }

  async #read(
    client: Queryable,
    all: readonly Queued[],
    { endpointIds, eventIds, correctionIds, changes }: Unread,
  ): Promise<void> {
    if (endpointIds.length > 0) {
      const rows = await sql.loadEndpoints(client, { endpointIds });
      for (const row of rows) this.#endpoints.set(row.id, row);
    }
    if (eventIds.length > 0) {
      const rows = await sql.loadEvents(client, { eventIds });
      for (const id of eventIds) this.#events.set(id, null);
      for (const row of rows) this.#events.set(row.id, stateOf(row, bodiesOf(row, this.#publicUrl)));
    }
    if (correctionIds.length > 0) await this.#readCorrections(client, correctionIds);
    if (changes.length > 0)
      this.#changes = await readChangeStates(client, changes.map(idsOf), this.#publicUrl);
    const asked = [...this.#unknownVisibility(all)];
    if (asked.length > 0) {
      const rows = await sql.loadVisibility(client, {
        planCodes: asked.map(([, { planCode }]) => planCode),
        types: asked.map(([, { type }]) => type),
        states: asked.map(([, { state }]) => state),
        carriedTypes: CARRIED_TYPES,
      });
      for (const { number, isVisible } of rows) this.#visibility.set(asked[number - 1]?.[0] ?? "", isVisible);
    }
  }

  async #readCorrections(client: Queryable, correctionIds: number[]): Promise<void> {
    const rows = await sql.loadCorrections(client, { correctionIds });
    for (const id of correctionIds) this.#corrections.set(id, null);
    for (const { correctionId, kind, correctedAt, ...event } of rows) {
      const bodies = correctionBodiesOf({ correctionId, kind, correctedAt }, event, this.#publicUrl);
      this.#corrections.set(correctionId, stateOf(event, bodies));
    }
  }

  /** The event or correction of a delivery; undefined when it is not known, null when its business was removed. */
  #told({ eventId, correctionId }: Queued): EventState | null | undefined {
    return correctionId === null ? this.#events.get(eventId ?? 0) : this.#corrections.get(correctionId);
  }

  /** Pairs of plan and event of which it is not known whether the plan sees the event. */
  #unknownVisibility(all: readonly Queued[]) {
    const unknown = new Map<string, { planCode: string; type: EventType; state: string | null }>();
    for (const queued of all) {
      const { endpoint, isTest, changeId } = queued;
      const type = queued.eventType as EventType;
      const planCode = this.#endpoints.get(endpoint.id)?.planCode;
      const event = this.#told(queued);
      if (isTest || changeId !== null || planCode === undefined || !event) continue;
      const key = visibilityKey(planCode, type, event.state);
      if (!this.#visibility.has(key)) unknown.set(key, { planCode, type, state: event.state });
    }
    return unknown;
  }

  /** Decides about a delivery of which all was loaded. */
  decide(queued: Queued): Decision {
    const { id, eventId, isTest, isRetry, createdAt } = queued;
    const eventType = queued.eventType as EventType;
    const endpoint = this.#endpoints.get(queued.endpoint.id);
    if (endpoint === undefined || endpoint.isDeleted) return cancel("deleted");
    if (endpoint.isSuspended) return { kind: "wait" };
    if (isTest) {
      const body = testDeliveryBody(
        { eventId: eventId ?? 0, type: eventType, queuedAt: createdAt },
        endpoint.payload,
      );
      return { kind: "send", endpoint, body: Buffer.from(body) };
    }
    const isCovered = ({ toId, eventTypes }: Cancellation) =>
      id <= toId && (eventTypes === null || eventTypes.includes(eventType));
    if (!isRetry && endpoint.cancellations.some(isCovered)) {
      const ofAll = endpoint.cancellations.filter(({ eventTypes }) => eventTypes === null);
      return { kind: "cancelled_before", allTo: Math.max(0, ...ofAll.map(({ toId }) => toId)) };
    }
    if (!endpoint.isActive)
      return cancel(endpoint.disabledReason === "plan_changed" ? "plan_changed" : "paused");
    if (!isSubscribed(endpoint, queued)) return cancel("unsubscribed");
    if (queued.changeId !== null) return decideChange(this.#changes.get(id), endpoint);
    const event = this.#told(queued);
    if (!event) return cancel("removed");
    if (!this.#visibility.get(visibilityKey(endpoint.planCode, eventType, event.state)))
      return cancel("plan_changed");
    return { kind: "send", endpoint, body: event.bodies[endpoint.payload] };
  }
}

const isSubscribed = (
  { eventTypes, corrections, changes }: EndpointState,
  { eventType, correctionId, changeId }: Queued,
): boolean =>
  changeId === null
    ? eventTypes.includes(eventType as EventType) && (correctionId === null || corrections)
    : changes;

/** Decides about the delivery of a change that an active endpoint asks for. */
function decideChange(change: ChangeState | undefined, endpoint: EndpointState): Decision {
  if (change === undefined) return cancel("removed");
  if (!change.isInPlan) return cancel("plan_changed");
  if (!change.isWatched) return cancel("unsubscribed");
  return { kind: "send", endpoint, body: Buffer.from(change.bodies[endpoint.payload]) };
}

const idsOf = ({ id, endpoint, changeId }: Queued) => ({
  id,
  endpointId: endpoint.id,
  changeId: changeId ?? 0,
});

const stateOf = (
  { state }: { state: string | null },
  { full, thin }: Readonly<Record<Payload, string>>,
): EventState => ({ bodies: { full: Buffer.from(full), thin: Buffer.from(thin) }, state });

const cancel = (reason: CancelReason): Decision => ({ kind: "cancel", reason });

const visibilityKey = (planCode: string, type: EventType, state: string | null): string =>
  `${planCode} ${type} ${state}`;
