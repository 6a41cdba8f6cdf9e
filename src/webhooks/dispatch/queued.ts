import type { DeliveredType } from "../queue/delivered-type.ts";

/** The most deliveries in flight in this process, of one queue. */
export interface Limits {
  isTest: boolean;
  slots: number;
  perEndpoint: number;
  perAccount: number;
  /** To an endpoint of unknown pace. */
  toUnknown: number;
  /** To all slow endpoints of one account together. */
  toSlow: number;
}

/**
 * How fast an endpoint ended its last attempt: within a second, or later. Unknown until an attempt has ended, and again when
 * a quick endpoint has nothing to do: it may stop to answer before the next events.
 */
export type Pace = "unknown" | "quick" | "slow";

/** A delivery in this process: it waits for its turn, or is in flight until it is recorded. */
export interface Queued {
  id: number;
  endpoint: EndpointQueue;
  /** Id of the event; a test delivery has a number of its own. Null for a change. */
  eventId: number | null;
  /** Id of the correction that it tells of the event; null when it tells the event itself. */
  correctionId: number | null;
  /** Id of the change of a watched carrier that it tells instead of an event. */
  changeId: number | null;
  eventType: DeliveredType;
  isTest: boolean;
  createdAt: Date;
  dueAt: Date;
  /** Number of the attempt that it waits for. */
  attempt: number;
  /** Failed attempts before this one. */
  failures: number;
  /** Whether it has a row in webhook_retry. */
  isRetry: boolean;
}

/** An account that this dispatcher has leased. No other has its deliveries in flight, so these counts are the whole. */
export interface AccountQueue {
  readonly id: number;
  inFlight: number;
  /** How many of these go to slow endpoints. */
  slowInFlight: number;
  /** Deliveries that were cancelled instead of sent, and are not recorded yet. */
  cancelling: number;
  /** No more deliveries are started: another dispatcher is to have the account, or it is suspended. */
  isLeaving: boolean;
  readonly endpoints: Set<EndpointQueue>;
  /** Endpoints with deliveries that wait in this process. */
  readonly waiting: Set<EndpointQueue>;
  /** The set of `Turns` that it is in while it has a delivery that may start. */
  turn: Set<AccountQueue> | null;
}

/** What the database has of an endpoint that was registered since its account was leased. */
export const NEW_ENDPOINT = { doneTo: 0, hasStreak: false };

/** The deliveries of an endpoint that are in this process. */
export interface EndpointQueue {
  readonly id: number;
  readonly account: AccountQueue;
  inFlight: number;
  pace: Pace;
  /** Deliveries that wait for their first attempt, in the order of their ids. */
  fresh: Queued[];
  /** Deliveries that wait for another attempt, the one due first in front. */
  due: Queued[];
  /** Deliveries up to this id were read from the database. */
  readTo: number;
  /** Deliveries up to this id are saved as done (webhook_progress). */
  savedTo: number;
  mayHaveFresh: boolean;
  mayHaveDue: boolean;
  /** The dispatcher before may have recorded some of the next deliveries: look up their results. */
  isCatchingUp: boolean;
  undoneInARow: number;
  /** Ids of fresh deliveries in this process, ascending. */
  readonly unfinished: Set<number>;
  /** Ids of retries in this process. */
  readonly retrying: Set<number>;
  /** Whether failures in a row are counted against it: only the dispatcher that leased its account counts them. */
  hasStreak: boolean;
}
