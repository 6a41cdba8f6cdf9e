// A backup is one zstd stream of frames: a kind, a length, and so many bytes. First the header, then each table and its
// rows as COPY writes them, last the sums of all that was before. A file without its last frame is not complete.
import { OperatorError } from "../platform/operator-error.ts";

/** The format named in the header. Another number is for a change that an older program can't read. */
export const FORMAT = "tdf backup 1";

/** The first frame of a backup. */
export interface BackupHeader {
  format: string;
  /** The version of the program that wrote it. */
  program: string;
  madeAt: string;
  /** The migrations that its tables have, in order. */
  migrations: { name: string; checksum: string }[];
  /** The sealed text that shows whether SECRETS_KEY is the key of its secrets, in base64. */
  secretsCheck: string | null;
  sequences: { name: string; value: number }[];
}

/** The columns of a table; names are quoted. `storage` is given where it differs from the type's own. */
export type TableColumns = {
  name: string;
  type: string;
  notNull: boolean;
  storage: string | null;
  isGenerated: boolean;
}[];

/** The partitioned table of a partition, and the part of its rows, as CREATE TABLE … PARTITION OF takes it. */
export interface PartitionOf {
  table: string;
  bound: string;
}

/** A table, with what is needed to make it: no migration makes the tables of feed versions. */
export interface TableDefinition {
  /** Quoted, with its schema. */
  name: string;
  columns: TableColumns;
  /** Each as ALTER TABLE … ADD takes it. */
  constraints: string[];
  /** Each as CREATE INDEX. */
  indexes: string[];
  options: string[] | null;
  /** Null: it is a table of its own, as every table of a backup made before there were partitions. */
  partition_of?: PartitionOf | null;
}

/** The columns whose values are copied, joined by commas. */
export const columnsToCopy = ({ columns }: TableDefinition): string =>
  columns
    .filter(({ isGenerated }) => !isGenerated)
    .map(({ name }) => name)
    .join(", ");

/** The sum of one table. */
export interface BackupPart {
  table: string;
  rows: number;
  /** Of the definition and the rows. */
  sha256: string;
}

/** The last frame. */
export interface BackupEnd {
  headerSha256: string;
  parts: BackupPart[];
}

export const FRAME_KINDS = { header: 72, table: 84, rows: 82, end: 69 } as const;
export type FrameKind = keyof typeof FRAME_KINDS;

export const FRAME_HEAD_BYTES = 5;
/** Rows are cut into frames of this size. Only the last frame of a file may be larger. */
export const ROWS_BYTES = 65_536;

/** A file that can't be restored. Nothing was changed when it is thrown. */
export const damaged = (file: string, what: string): OperatorError =>
  new OperatorError(`The backup ${file} can't be used: ${what}. Use another one; nothing was changed.`, {
    solution: "a-decision",
  });
