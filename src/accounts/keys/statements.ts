// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface AccountCallerParams {
  accountId: number;
}

export interface AccountCallerRow {
  account_id: number;
  licence_ref: string;
  plan_code: string;
  plan_name: string;
  api_access: boolean;
  requests_per_minute: number;
  rows_per_month: number;
  concurrent_exports: number;
  feeds_number: number;
  feeds: Record<string, string[] | null> | null;
}

export const accountCaller = statement<AccountCallerParams, AccountCallerRow>(
  import.meta.url,
  "account-caller.sql",
  ["accountId"],
);

export interface AdmissionToFeedsParams {
  keyIds: readonly string[];
  secretHashes: readonly Buffer[];
  requests: readonly number[];
  minute: number;
  month: string;
  rowsOfKeys: readonly number[];
  feedsOfKeys: readonly string[];
  servedOfKeys: readonly string[];
}

export interface AdmissionToFeedsRow {
  key_id: string;
  secret_hash: Buffer;
  requests: number | null;
  is_revoked: boolean;
  account_id: number;
  licence_ref: string;
  plan_code: string;
  api_access: boolean;
  requests_per_minute: number;
  rows_per_month: number;
  concurrent_exports: number;
  feeds_number: number;
  feeds: string | null;
  minute: number | null;
  used_before: number | null;
  served: string;
  is_charged: boolean;
  quota_used: number;
}

export const admissionToFeeds = statement<AdmissionToFeedsParams, AdmissionToFeedsRow>(
  import.meta.url,
  "admission-to-feeds.sql",
  ["keyIds", "secretHashes", "requests", "minute", "month", "rowsOfKeys", "feedsOfKeys", "servedOfKeys"],
);

export interface AdmissionParams {
  keyIds: readonly string[];
  secretHashes: readonly Buffer[];
  requests: readonly number[];
  minute: number;
  month: string;
}

export interface AdmissionRow {
  key_id: string;
  secret_hash: Buffer;
  requests: number | null;
  is_revoked: boolean;
  account_id: number;
  licence_ref: string;
  plan_code: string;
  api_access: boolean;
  requests_per_minute: number;
  rows_per_month: number;
  concurrent_exports: number;
  feeds_number: number;
  feeds: string | null;
  minute: number | null;
  used_before: number | null;
  quota_used: number;
}

export const admission = statement<AdmissionParams, AdmissionRow>(
  import.meta.url,
  "admission.sql",
  ["keyIds", "secretHashes", "requests", "minute", "month"],
);

export const findUsableKey = statement<void, object>(
  import.meta.url,
  "find-usable-key.sql",
  [],
);

export interface KeyLastUsedParams {
  keyIds: readonly string[];
  usedAt: readonly Date[];
}

export const keyLastUsed = statement<KeyLastUsedParams, object>(
  import.meta.url,
  "key-last-used.sql",
  ["keyIds", "usedAt"],
);
