// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { IdentifierKind } from "./asked.ts";
import type { RequestState, IdentifierShown } from "./requests.ts";

export interface AcceptWaitingParams {
  requestIds: readonly number[];
}

export interface AcceptWaitingRow {
  requestId: number;
  kind: IdentifierKind;
  value: string;
}

export const acceptWaiting = statement<AcceptWaitingParams, AcceptWaitingRow>(
  import.meta.url,
  "accept-waiting.sql",
  ["requestIds"],
);

export interface CountConfirmationsParams {
  addressDigest: Buffer;
  clientDigest: Buffer;
  hourAgo: Date;
  dayAgo: Date;
}

export interface CountConfirmationsRow {
  mailbox: number;
  client: number;
  all: number;
}

export const countConfirmations = statement<CountConfirmationsParams, CountConfirmationsRow>(
  import.meta.url,
  "count-confirmations.sql",
  ["addressDigest", "clientDigest", "hourAgo", "dayAgo"],
);

export interface InsertConfirmationParams {
  addressDigest: Buffer;
  clientDigest: Buffer;
  now: Date;
}

export const insertConfirmation = statement<InsertConfirmationParams, object>(
  import.meta.url,
  "insert-confirmation.sql",
  ["addressDigest", "clientDigest", "now"],
);

export interface ListRequestsParams {
  state: string | null;
}

export interface ListRequestsRow {
  request_id: number;
  requested_at: Date;
  state: RequestState;
  identifiers: IdentifierShown[];
  businesses: number;
  decided_at: Date;
  decision: string;
  reason: string;
  requester_email: string | null;
  details: string | null;
}

export const listRequests = statement<ListRequestsParams, ListRequestsRow>(
  import.meta.url,
  "list-requests.sql",
  ["state"],
);

export interface RecordRequestParams {
  requestId: number;
  now: Date;
  clientDigest: Buffer;
  requesterDigest: Buffer | null;
  identifierDigests: string;
  kinds: readonly string[];
  values: readonly string[];
  states: readonly string[];
  areBlanked: readonly boolean[];
  decision: string;
  reason: string;
  requesterEmail: string | null;
  details: string | null;
}

export const recordRequest = statement<RecordRequestParams, object>(
  import.meta.url,
  "record-request.sql",
  ["requestId", "now", "clientDigest", "requesterDigest", "identifierDigests", "kinds", "values", "states", "areBlanked", "decision", "reason", "requesterEmail", "details"],
);

export interface RejectWaitingParams {
  requestIds: readonly number[];
}

export const rejectWaiting = statement<RejectWaitingParams, object>(
  import.meta.url,
  "reject-waiting.sql",
  ["requestIds"],
);

export interface RequestStatesParams {
  requestIds: readonly number[];
}

export interface RequestStatesRow {
  id: number;
  isKnown: boolean;
  isOpen: boolean;
  isWaiting: boolean;
}

export const requestStates = statement<RequestStatesParams, RequestStatesRow>(
  import.meta.url,
  "request-states.sql",
  ["requestIds"],
);

export interface WriteDecisionsParams {
  requestIds: readonly number[];
  decision: string;
  now: Date;
  reason: string;
}

export const writeDecisions = statement<WriteDecisionsParams, object>(
  import.meta.url,
  "write-decisions.sql",
  ["requestIds", "decision", "now", "reason"],
);
