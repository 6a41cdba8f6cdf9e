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

export interface InsertFiledParams {
  mostUsdots: number;
  publicEmailDomains: readonly string[];
}

export const insertFiled = statement<InsertFiledParams, object>(
  import.meta.url,
  "insert-filed.sql",
  ["mostUsdots", "publicEmailDomains"],
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
  mostUsdots: number;
}

export const insertShared = statement<InsertSharedParams, object>(
  import.meta.url,
  "insert-shared.sql",
  ["mostUsdots"],
);

export interface InsertShippedParams {
  entries: string;
}

export const insertShipped = statement<InsertShippedParams, object>(
  import.meta.url,
  "insert-shipped.sql",
  ["entries"],
);
