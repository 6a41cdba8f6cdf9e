// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../database/statement.ts";

export interface ClaimMailsParams {
  now: Date;
  leaseMs: number;
  most: number;
}

export interface ClaimMailsRow {
  id: number;
  purpose: string;
  recipient: string;
  subject: string;
  body: string;
  createdAt: Date;
  attempt: number;
}

export const claimMails = statement<ClaimMailsParams, ClaimMailsRow>(
  import.meta.url,
  "claim-mails.sql",
  ["now", "leaseMs", "most"],
);

export interface CountFailedParams {
  recipient: string;
  since: Date;
}

export interface CountFailedRow {
  count: number;
}

export const countFailed = statement<CountFailedParams, CountFailedRow>(
  import.meta.url,
  "count-failed.sql",
  ["recipient", "since"],
);

export interface OutboxStateRow {
  waiting: number;
  since: Date | null;
  failed: number;
}

export const outboxState = statement<void, OutboxStateRow>(
  import.meta.url,
  "outbox-state.sql",
  [],
);

export interface QueueMailParams {
  identity: string | null;
  purpose: string;
  recipient: string;
  subject: string;
  body: string;
  now: Date;
}

export const queueMail = statement<QueueMailParams, object>(
  import.meta.url,
  "queue-mail.sql",
  ["identity", "purpose", "recipient", "subject", "body", "now"],
);

export interface RecordFailureParams {
  id: number;
  attempt: number;
  reason: string;
  dueAt: Date | null;
  failedAt: Date | null;
}

export const recordFailure = statement<RecordFailureParams, object>(
  import.meta.url,
  "record-failure.sql",
  ["id", "attempt", "reason", "dueAt", "failedAt"],
);

export interface RecordSentParams {
  id: number;
  now: Date;
}

export const recordSent = statement<RecordSentParams, object>(
  import.meta.url,
  "record-sent.sql",
  ["id", "now"],
);
