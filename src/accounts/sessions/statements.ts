// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface CountLinksParams {
  accountId: number;
  after: Date;
  before: Date;
}

export interface CountLinksRow {
  links: number;
}

export const countLinks = statement<CountLinksParams, CountLinksRow>(
  import.meta.url,
  "count-links.sql",
  ["accountId", "after", "before"],
);

export interface FindSessionParams {
  tokenHash: Buffer;
  seenAfter: Date;
  createdAfter: Date;
}

export interface FindSessionRow {
  accountId: number;
  accountName: string;
  email: string;
  lastSeenAt: Date;
}

export const findSession = statement<FindSessionParams, FindSessionRow>(
  import.meta.url,
  "find-session.sql",
  ["tokenHash", "seenAfter", "createdAfter"],
);

export interface InsertLinkParams {
  tokenHash: Buffer;
  accountId: number;
  now: Date;
  expiresAt: Date;
}

export const insertLink = statement<InsertLinkParams, object>(
  import.meta.url,
  "insert-link.sql",
  ["tokenHash", "accountId", "now", "expiresAt"],
);

export interface LeaveNoteParams {
  nameHash: Buffer;
  sessionHash: Buffer;
  sealed: Buffer;
  expiresAt: Date;
}

export const leaveNote = statement<LeaveNoteParams, object>(
  import.meta.url,
  "leave-note.sql",
  ["nameHash", "sessionHash", "sealed", "expiresAt"],
);

export interface LockAccountsParams {
  email: string;
  most: number;
}

export interface LockAccountsRow {
  id: number;
  name: string;
  email: string;
}

export const lockAccounts = statement<LockAccountsParams, LockAccountsRow>(
  import.meta.url,
  "lock-accounts.sql",
  ["email", "most"],
);

export interface OpenSessionParams {
  linkHash: Buffer;
  now: Date;
  tokenHash: Buffer;
}

export const openSession = statement<OpenSessionParams, object>(
  import.meta.url,
  "open-session.sql",
  ["linkHash", "now", "tokenHash"],
);

export interface TakeNoteParams {
  nameHash: Buffer;
  sessionHash: Buffer;
  now: Date;
}

export interface TakeNoteRow {
  sealed: Buffer;
  isValid: boolean;
}

export const takeNote = statement<TakeNoteParams, TakeNoteRow>(
  import.meta.url,
  "take-note.sql",
  ["nameHash", "sessionHash", "now"],
);

export interface TouchSessionParams {
  tokenHash: Buffer;
  now: Date;
}

export const touchSession = statement<TouchSessionParams, object>(
  import.meta.url,
  "touch-session.sql",
  ["tokenHash", "now"],
);
