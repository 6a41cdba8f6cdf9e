// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface InsertCountyTimeZonesParams {
  states: readonly string[];
  counties: readonly string[];
  timeZones: readonly string[];
}

export const insertCountyTimeZones = statement<InsertCountyTimeZonesParams, object>(
  import.meta.url,
  "insert-county-time-zones.sql",
  ["states", "counties", "timeZones"],
);

export const openCountyTimeZones = statement<void, object>(
  import.meta.url,
  "open-county-time-zones.sql",
  [],
);

export const openStateTimeZones = statement<void, object>(
  import.meta.url,
  "open-state-time-zones.sql",
  [],
);
