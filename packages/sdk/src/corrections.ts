import { ask, CALL_OPTIONS, type CallOptions, type Connection } from "./call.ts";
import { listEventCorrections } from "./generated/operations/sdk.gen.ts";
import type { CorrectionsOut, EventType } from "./generated/operations/types.gen.ts";
import type { OptionNames } from "./options.ts";
import { listByCursor, type PagedList } from "./pages.ts";

/** Which corrections are read, from where, and how. */
export interface CorrectionQuery extends CallOptions {
  /** Only of events of these types; every type of the plan unless given. */
  type?: EventType[];
  /** Only of events in these states; the plan's states unless given. */
  state?: string[];
  /** Only corrections made at or after this time; 7 days ago unless given. A `cursor` goes before it. */
  since?: Date | string;
  /** The position to continue from: `meta.resume_cursor` of an earlier page. A cursor never expires. */
  cursor?: string | null | undefined;
  /** Corrections per request, 1 to 1,000; 100 unless given. */
  pageSize?: number;
}

/** The names of what a query of corrections takes. */
export const CORRECTION_OPTIONS: OptionNames<CorrectionQuery> = {
  type: true,
  state: true,
  since: true,
  cursor: true,
  pageSize: true,
  ...CALL_OPTIONS,
};

/** The corrections that a query asks for, oldest first. */
export function listCorrections(
  connection: Connection,
  { type, state, since, cursor, pageSize: limit = 100, ...options }: CorrectionQuery,
): PagedList<CorrectionsOut> {
  const query = {
    limit,
    ...(type && { type }),
    ...(state && { state }),
    ...(since !== undefined && { since: typeof since === "string" ? since : since.toISOString() }),
  };
  const read = (at: { cursor?: string }) =>
    ask(connection, (sent) => listEventCorrections({ ...sent, query: { ...query, ...at } }), options);
  return listByCursor(read, cursor);
}
