/** The packed columns with the record hashes, from which checkpoints are made: their upper and their lower 32 bits. */
export type DigestColumn = "digest_high" | "digest_low";

/** SQL over a version's table: the value of each. */
export const DIGEST_CELLS: Readonly<Record<DigestColumn, string>> = {
  digest_high: "(record_hash >> 32)::integer",
  digest_low: "(record_hash << 32 >> 32)::integer",
};

export const DIGEST_COLUMNS = (["digest_high", "digest_low"] as const).map((name) => ({
  name,
  type: "integer" as const,
  form: "number" as const,
  words: null,
}));
