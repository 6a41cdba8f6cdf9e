import type { EventType } from "../../events/event-types.ts";
import { CARRIED_TYPES } from "../../events/event-types.ts";
import * as sql from "../../generated/sql/webhooks/dispatch.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { bodiesOf, testDeliveryBody } from "../deliveries/delivery-body.ts";
import type { Payload } from "../endpoints/filters.ts";
import type { CancelReason } from "../queue/cancel-queued.ts";
import type { Queued } from "./queued.ts";

/** A cancellation of all deliveries up to one that have no result; of all event types when these are null. */
export interface Cancellation {
  toId: number;
  eventTypes: EventType[] | null;
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
  readonly #visibility = new Map<string, boolean>();

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  useVersion(version: number): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#endpoints.clear();
    this.#events.clear();
    this.#visibility.clear();
  }

  /**
   * Reads what is not known yet about these deliveries; null when all is known. If it has to read events, it reads some of
   * `nextEvents` too.
   */
  load(client: Queryable, all: readonly Queued[], nextEvents: () => Iterable<number>): Promise<void> | null {
    if (this.#events.size > MOST_EVENTS) this.#events.clear();
    const endpointIds = new Set<number>();
    const eventIds = new Set<number>();
    for (const { endpoint, eventId, isTest } of all) {
      if (!this.#endpoints.has(endpoint.id)) endpointIds.add(endpoint.id);
      if (!isTest && !this.#events.has(eventId)) eventIds.add(eventId);
    }
    if (endpointIds.size + eventIds.size === 0 && this.#unknownVisibility(all).size === 0) return null;
    if (eventIds.size > 0) this.#readAhead(eventIds, nextEvents());
    return this.#read(client, all, { endpointIds: [...endpointIds], eventIds: [...eventIds] });
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
    { endpointIds, eventIds }: { endpointIds: number[]; eventIds: number[] },
  ): Promise<void> {
    if (endpointIds.length > 0) {
      const rows = await sql.loadEndpoints(client, { endpointIds });
      for (const row of rows) this.#endpoints.set(row.id, row);
    }
    if (eventIds.length > 0) {
      const rows = await sql.loadEvents(client, { eventIds });
      for (const id of eventIds) this.#events.set(id, null);
      for (const row of rows) {
        const { full, thin } = bodiesOf(row, this.#publicUrl);
        this.#events.set(row.id, {
          bodies: { full: Buffer.from(full), thin: Buffer.from(thin) },
          state: row.state,
        });
      }
    }
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

  /** Pairs of plan and event of which it is not known whether the plan sees the event. */
  #unknownVisibility(all: readonly Queued[]) {
    const unknown = new Map<string, { planCode: string; type: EventType; state: string | null }>();
    for (const { endpoint, eventId, eventType: type, isTest } of all) {
      const planCode = this.#endpoints.get(endpoint.id)?.planCode;
      const event = this.#events.get(eventId);
      if (isTest || planCode === undefined || !event) continue;
      const key = visibilityKey(planCode, type, event.state);
      if (!this.#visibility.has(key)) unknown.set(key, { planCode, type, state: event.state });
    }
    return unknown;
  }

  /** Decides about a delivery of which all was loaded. */
  decide({
    id,
    endpoint: { id: endpointId },
    eventId,
    eventType,
    isTest,
    isRetry,
    createdAt,
  }: Queued): Decision {
    const endpoint = this.#endpoints.get(endpointId);
    if (endpoint === undefined || endpoint.isDeleted) return cancel("deleted");
    if (endpoint.isSuspended) return { kind: "wait" };
    if (isTest) {
      const body = testDeliveryBody({ eventId, type: eventType, queuedAt: createdAt }, endpoint.payload);
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
    if (!endpoint.eventTypes.includes(eventType)) return cancel("unsubscribed");
    const event = this.#events.get(eventId);
    if (!event) return cancel("removed");
    if (!this.#visibility.get(visibilityKey(endpoint.planCode, eventType, event.state)))
      return cancel("plan_changed");
    return { kind: "send", endpoint, body: event.bodies[endpoint.payload] };
  }
}

const cancel = (reason: CancelReason): Decision => ({ kind: "cancel", reason });

const visibilityKey = (planCode: string, type: EventType, state: string | null): string =>
  `${planCode} ${type} ${state}`;
