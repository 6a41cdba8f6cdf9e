// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export const copyRemovalList = statement<void, object>(
  import.meta.url,
  "copy-removal-list.sql",
  [],
);

export interface CountCancellationsParams {
  asOf: string;
}

export const countCancellations = statement<CountCancellationsParams, object>(
  import.meta.url,
  "count-cancellations.sql",
  ["asOf"],
);

export const dropCandidates = statement<void, object>(
  import.meta.url,
  "drop-candidates.sql",
  [],
);

export const findLegacyFilings = statement<void, object>(
  import.meta.url,
  "find-legacy-filings.sql",
  [],
);

export interface FindPendingCancellationsParams {
  asOf: string;
}

export const findPendingCancellations = statement<FindPendingCancellationsParams, object>(
  import.meta.url,
  "find-pending-cancellations.sql",
  ["asOf"],
);

export interface FindPoliciesParams {
  asOf: string;
}

export const findPolicies = statement<FindPoliciesParams, object>(
  import.meta.url,
  "find-policies.sql",
  ["asOf"],
);

export interface FindSuspensionsParams {
  asOf: string;
  days: number;
}

export const findSuspensions = statement<FindSuspensionsParams, object>(
  import.meta.url,
  "find-suspensions.sql",
  ["asOf", "days"],
);

export interface HashRemovalListRow {
  hash: string;
}

export const hashRemovalList = statement<void, HashRemovalListRow>(
  import.meta.url,
  "hash-removal-list.sql",
  [],
);

export const indexCandidates = statement<void, object>(
  import.meta.url,
  "index-candidates.sql",
  [],
);

export const indexCompanies = statement<void, object>(
  import.meta.url,
  "index-companies.sql",
  [],
);

export const indexFilings = statement<void, object>(
  import.meta.url,
  "index-filings.sql",
  [],
);

export interface ListUnknownExchangesRow {
  phone: string;
}

export const listUnknownExchanges = statement<void, ListUnknownExchangesRow>(
  import.meta.url,
  "list-unknown-exchanges.sql",
  [],
);

export interface MakeCandidatesParams {
  asOf: string;
  legacyVerifiedOn: string;
  legacyRevocationsEndOn: string;
  freightCarriers: readonly string[];
  knownSources: readonly string[];
}

export const makeCandidates = statement<MakeCandidatesParams, object>(
  import.meta.url,
  "make-candidates.sql",
  ["asOf", "legacyVerifiedOn", "legacyRevocationsEndOn", "freightCarriers", "knownSources"],
);

export interface MakeCompaniesParams {
  stateCodes: readonly string[];
  cargoWords: readonly string[];
}

export const makeCompanies = statement<MakeCompaniesParams, object>(
  import.meta.url,
  "make-companies.sql",
  ["stateCodes", "cargoWords"],
);
