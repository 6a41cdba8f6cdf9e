import type { components } from "../generated/types.ts";
import { dayOf } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import type { Queryable } from "../platform/database/statement.ts";
import type { Dataset } from "../registry/datasets.ts";
import { isFresh } from "../registry/freshness.ts";
import { knownOptionalSources, listSourceStates, type SourceState } from "../registry/source-states.ts";
import { FEEDS } from "./catalogue.ts";

/** The record columns that come from an optional file alone, in the order of the contract. */
const columnsFrom = (dataset: Dataset): string[] => [
  ...new Set(
    FEEDS.flatMap(({ columns }) =>
      columns.filter(({ sources }) => sources.includes(dataset)).map(({ name }) => name),
    ),
  ),
];

/** Every registry file that the service reads, as customers see it. */
export async function listSources(context: Context): Promise<components["schemas"]["SourcesOut"]> {
  const { db, clock } = context;
  const states = await listSourceStates(db.pool, dayOf(clock.now()));
  return {
    data: states.map(({ dataset, kind, isOptional, rows, importedAt, asOf, isOld }) => ({
      source: dataset,
      kind,
      optional: isOptional,
      imported: importedAt !== null,
      as_of: asOf,
      imported_at: importedAt?.toISOString() ?? null,
      rows,
      // The registry of test mode has a fixed day, which says nothing about its files.
      stale: context.live === undefined ? isOld : kind === "live" && asOf !== null && !isFresh(context, asOf),
      columns: columnsFrom(dataset),
    })),
  };
}

/** A file that an operator has to know about: an optional one that is missing, or a live one that is old. */
export interface SourceWarning {
  dataset: Dataset;
  asOf: string | null;
  /** The columns that are null because of it. */
  nullColumns: string[];
}

/** The files to warn of on a day. */
export async function sourceWarnings(client: Queryable, today: string): Promise<SourceWarning[]> {
  const states = await listSourceStates(client, today);
  const known = await knownOptionalSources(client, today);
  const isMissing = ({ isOptional, asOf }: SourceState) => isOptional && asOf === null;
  return states
    .filter((state) => isMissing(state) || state.isOld)
    .map(({ dataset, asOf }) => ({
      dataset,
      asOf,
      nullColumns: known.includes(dataset) ? [] : columnsFrom(dataset),
    }));
}

/** The files to warn of today. */
export const currentSourceWarnings = ({
  db,
  clock,
}: Pick<Context, "db" | "clock">): Promise<SourceWarning[]> => sourceWarnings(db.pool, dayOf(clock.now()));
