import type { SchemaElement } from "hyparquet";
import type { Column } from "../catalogue.ts";
import type { FeedVersion } from "../versions/feed-version.ts";

/** A column of a Parquet file. */
export interface ParquetColumn {
  name: string;
  kind: Column["kind"];
}

/**
 * Part of every tag of a Parquet file: increase it when a release writes the same rows as other bytes, for example with a
 * new hyparquet-writer. Compression is zstd of the running Node.
 */
export const PARQUET_FORM = `parquet 1 zstd ${process.versions.zstd ?? ""}`;

/** The columns of a version, in its order. A column that the feed no longer has is text. */
export function parquetColumns({ feed, columns }: FeedVersion): ParquetColumn[] {
  const kinds = new Map(feed.columns.map(({ name, kind }) => [name, kind]));
  return columns.names.map((name) => ({ name, kind: kinds.get(name) ?? "text" }));
}

const TEXT = {
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  logical_type: { type: "STRING" },
} as const satisfies Partial<SchemaElement>;

const TYPES = {
  text: TEXT,
  integer: { type: "INT64" },
  date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  boolean: { type: "BOOLEAN" },
} as const satisfies Record<Exclude<Column["kind"], "list">, Partial<SchemaElement>>;

/** The schema of a Parquet file. Every column may be null. */
export function parquetSchema(columns: readonly ParquetColumn[]): SchemaElement[] {
  const elements = columns.flatMap(({ name, kind }): SchemaElement[] => {
    if (kind !== "list") return [{ name, repetition_type: "OPTIONAL", ...TYPES[kind] }];
    return [
      {
        name,
        repetition_type: "OPTIONAL",
        converted_type: "LIST",
        logical_type: { type: "LIST" },
        num_children: 1,
      },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      { name: "element", repetition_type: "REQUIRED", ...TEXT },
    ];
  });
  return [{ name: "schema", num_children: columns.length }, ...elements];
}
