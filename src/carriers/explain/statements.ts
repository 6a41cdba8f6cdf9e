// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { HistoryRow, PendingRevocation, StatusChange } from "./authorities.ts";
import type { FeedCode } from "../../feeds/catalogue.ts";

export interface FindAuthoritiesParams {
  usdot: number;
  legacyCarrierClasses: readonly string[];
}

export interface FindAuthoritiesRow {
  docket: string | null;
  authority_class: string;
  op_auth_type: string;
  status: string;
  status_source: string;
  granted_on: string | null;
  first_seen_on: string | null;
  grants: HistoryRow[];
  ends: HistoryRow[];
  in_revocation_by_legacy: boolean;
  pending_revocations: PendingRevocation[];
  coverage: Record<string, number | boolean | null> | null;
  policies: Record<string, string | null>[];
  ended_policies: Record<string, string | null>[];
  newest_history: StatusChange[];
  carrier_status: string | null;
}

export const findAuthorities = statement<FindAuthoritiesParams, FindAuthoritiesRow>(
  import.meta.url,
  "find-authorities.sql",
  ["usdot", "legacyCarrierClasses"],
);

export interface FindBlankedParams {
  usdot: number;
}

export interface FindBlankedRow {
  field: string;
  value: string;
  shared_by: number | null;
  agent_by: "phone" | "email" | "email_domain" | null;
  note: string | null;
  removed_by: number | null;
  removed_at: Date | null;
}

export const findBlanked = statement<FindBlankedParams, FindBlankedRow>(
  import.meta.url,
  "find-blanked.sql",
  ["usdot"],
);

export interface FindCensusParams {
  usdot: number;
}

export interface FindCensusRow {
  usdot: number;
  status_code: string;
  legal_name: string | null;
  dba_name: string | null;
  street: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  county_fips: string | null;
  country: string | null;
  phone: string | null;
  cell_phone: string | null;
  email: string | null;
  power_units: number | null;
  drivers: number | null;
  general_freight: boolean;
  carrier_operation: string | null;
  hazmat: boolean | null;
  cargo: number | null;
  safety_rating: string | null;
  safety_rating_on: string | null;
  updated_on: string | null;
  annual_mileage: number | null;
  mileage_year: number | null;
  added_on: string | null;
  is_individual: boolean | null;
}

export const findCensus = statement<FindCensusParams, FindCensusRow>(
  import.meta.url,
  "find-census.sql",
  ["usdot"],
);

export interface FindRemovalParams {
  usdot: number;
}

export interface FindRemovalRow {
  request: number;
  since: Date;
}

export const findRemoval = statement<FindRemovalParams, FindRemovalRow>(
  import.meta.url,
  "find-removal.sql",
  ["usdot"],
);

export interface HideAuthoritiesParams {
  usdots: readonly number[];
}

export const hideAuthorities = statement<HideAuthoritiesParams, object>(
  import.meta.url,
  "hide-authorities.sql",
  ["usdots"],
);

export interface HideCensusParams {
  usdots: readonly number[];
}

export const hideCensus = statement<HideCensusParams, object>(
  import.meta.url,
  "hide-census.sql",
  ["usdots"],
);

export const prepareCandidates = statement<void, object>(
  import.meta.url,
  "prepare-candidates.sql",
  [],
);

export interface ServedVersionsRow {
  feed: FeedCode;
  version: number;
  as_of: string;
}

export const servedVersions = statement<void, ServedVersionsRow>(
  import.meta.url,
  "served-versions.sql",
  [],
);
