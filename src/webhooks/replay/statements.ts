// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { ReplayKind } from "./replay-range.ts";

export interface CountReplayParams {
  endpointId: number;
  carriedTypes: readonly string[];
  before: number;
  last: number;
  from: Date;
  to: Date;
  startedAt: Date;
  kinds: readonly string[];
}

export interface CountReplayRow {
  kind: ReplayKind;
  count: number;
}

export const countReplay = statement<CountReplayParams, CountReplayRow>(
  import.meta.url,
  "count-replay.sql",
  ["endpointId", "carriedTypes", "before", "last", "from", "to", "startedAt", "kinds"],
);

export interface LastOfWindowParams {
  before: number;
  last: number;
  most: number;
}

export interface LastOfWindowRow {
  last: number | null;
}

export const lastOfWindow = statement<LastOfWindowParams, LastOfWindowRow>(
  import.meta.url,
  "last-of-window.sql",
  ["before", "last", "most"],
);

export interface LockActiveParams {
  endpointId: number;
}

export const lockActive = statement<LockActiveParams, object>(
  import.meta.url,
  "lock-active.sql",
  ["endpointId"],
);

export const lockFanOut = statement<void, object>(
  import.meta.url,
  "lock-fan-out.sql",
  [],
);

export interface ReplayRangeParams {
  endpointId: number;
  accountId: number | null;
  from: Date;
  to: Date;
}

export interface ReplayRangeRow {
  active: boolean;
  before: number;
  last: number;
}

export const replayRange = statement<ReplayRangeParams, ReplayRangeRow>(
  import.meta.url,
  "replay-range.sql",
  ["endpointId", "accountId", "from", "to"],
);

export interface ReplayParams {
  endpointId: number;
  carriedTypes: readonly string[];
  before: number;
  last: number;
  from: Date;
  to: Date;
  startedAt: Date;
  kinds: readonly string[];
  now: Date;
}

export interface ReplayRow {
  queued: number;
}

export const replay = statement<ReplayParams, ReplayRow>(
  import.meta.url,
  "replay.sql",
  ["endpointId", "carriedTypes", "before", "last", "from", "to", "startedAt", "kinds", "now"],
);
