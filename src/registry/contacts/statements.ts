// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export const countFiled = statement<void, object>(
  import.meta.url,
  "count-filed.sql",
  [],
);

export const deleteFiled = statement<void, object>(
  import.meta.url,
  "delete-filed.sql",
  [],
);

export const deleteShared = statement<void, object>(
  import.meta.url,
  "delete-shared.sql",
  [],
);

export const deleteShipped = statement<void, object>(
  import.meta.url,
  "delete-shipped.sql",
  [],
);

export interface FindAgentContactsParams {
  names: readonly string[];
  states: readonly string[];
  companies: readonly number[];
  marks: string;
  publicEmailDomains: readonly string[];
}

export interface FindAgentContactsRow {
  kind: string;
  value: string;
  companies: number;
}

export const findAgentContacts = statement<FindAgentContactsParams, FindAgentContactsRow>(
  import.meta.url,
  "find-agent-contacts.sql",
  ["names", "states", "companies", "marks", "publicEmailDomains"],
);

export interface FindAgentsParams {
  marks: string;
  mostUsdots: number;
}

export interface FindAgentsRow {
  name: string;
  state: string;
  companies: number;
}

export const findAgents = statement<FindAgentsParams, FindAgentsRow>(
  import.meta.url,
  "find-agents.sql",
  ["marks", "mostUsdots"],
);

export interface InsertFiledParams {
  kinds: readonly string[];
  values: readonly string[];
  companies: readonly number[];
}

export const insertFiled = statement<InsertFiledParams, object>(
  import.meta.url,
  "insert-filed.sql",
  ["kinds", "values", "companies"],
);

export interface InsertPhoneExchangesParams {
  exchanges: readonly string[];
  phoneTypes: readonly string[];
}

export const insertPhoneExchanges = statement<InsertPhoneExchangesParams, object>(
  import.meta.url,
  "insert-phone-exchanges.sql",
  ["exchanges", "phoneTypes"],
);

export interface InsertSharedParams {
  limit: number;
}

export const insertShared = statement<InsertSharedParams, object>(
  import.meta.url,
  "insert-shared.sql",
  ["limit"],
);

export interface InsertShippedParams {
  entries: string;
}

export const insertShipped = statement<InsertShippedParams, object>(
  import.meta.url,
  "insert-shipped.sql",
  ["entries"],
);
