// PostgreSQL's own operators and functions that return a value whenever their arguments are values. The others may
// return null for values: `->`, `nullif`, and `to_char` and `extract` of infinity.
import type { FunctionEntry } from "./catalog.ts";

/** Operators that return a value for all values; `->`, `@@` and similar ones may return null. */
const OPERATORS = new Set(
  "= <> < <= > >= + - * / % ^ || & | << >> ~ ~* !~ !~* ~~ ~~* !~~ !~~* ^@ && @> <@ ? ?| ?&".split(" "),
);

/** Functions that return a value for all values. */
const FUNCTIONS = new Set(
  `abs ceil ceiling floor round trunc mod power sqrt sign length char_length character_length octet_length bit_length
  lower upper initcap btrim ltrim rtrim replace translate substr substring left right lpad rpad repeat reverse md5
  sha224 sha256 sha384 sha512 encode decode convert_to convert_from ascii chr strpos position starts_with split_part
  regexp_replace regexp_count to_date to_timestamp date_trunc date_bin make_date
  make_interval make_timestamptz age timezone now clock_timestamp statement_timestamp transaction_timestamp timeofday
  isfinite justify_days justify_hours date timestamp timestamptz interval int2 int4 int8 float4 float8 numeric text
  varchar bpchar name bool oid uuid cardinality array_append array_prepend array_cat array_remove array_replace
  string_to_array array_to_json row_to_json to_json to_jsonb jsonb_array_length json_array_length jsonb_set
  jsonb_strip_nulls json_strip_nulls hashtext hashtextextended nextval lastval currval setval set_config random
  gen_random_uuid uuidv4 uuidv7 pg_try_advisory_lock pg_try_advisory_xact_lock pg_advisory_unlock pg_backend_pid
  pg_current_xact_id txid_current crc32 crc32c get_byte set_byte get_bit bit_count width_bucket pg_advisory_lock
  pg_advisory_xact_lock pg_advisory_lock_shared pg_advisory_xact_lock_shared pg_notify format concat_ws
  pg_postmaster_start_time`.split(/\s+/),
);

/** Functions that return a value even for null. */
const ALWAYS = new Set([
  "concat",
  "jsonb_build_object",
  "json_build_object",
  "jsonb_build_array",
  "json_build_array",
  "num_nulls",
  "num_nonnulls",
]);

/** By pattern, of a range without an end, and of the json null, which becomes null in a cast. */
function findsNothingAtTimes({ name, takes }: FunctionEntry): boolean {
  if (CASTS.has(name)) return takes.some((type) => type.startsWith("json"));
  if (name === "substring" || name === "substr") return takes[1] === "text";
  if (name === "lower" || name === "upper") return takes[0] !== "text";
  return false;
}

const CASTS = new Set("bool int2 int4 int8 float4 float8 numeric text varchar".split(" "));

/** Whether a function returns a value for all values. */
export const keepsNotNull = (called: FunctionEntry | undefined): boolean =>
  isOneOf(called, FUNCTIONS) && !findsNothingAtTimes(called);

/** Whether an operator returns a value for all values. */
export const operatorKeepsNotNull = (called: FunctionEntry | undefined): boolean =>
  isOneOf(called, OPERATORS);

/** Whether a function returns a value even for null. */
export const isAlwaysGiven = (called: FunctionEntry | undefined): boolean => isOneOf(called, ALWAYS);

const isOneOf = (called: FunctionEntry | undefined, names: ReadonlySet<string>): called is FunctionEntry =>
  called?.isBuiltIn === true && names.has(called.name);

export const AGGREGATES = {
  /** Return a value for any rows, also as window functions. */
  counting: new Set("count row_number rank dense_rank percent_rank cume_dist ntile".split(" ")),
  /** Return a value if there is a row, even with null. */
  collecting: new Set("array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg".split(" ")),
  /** Return a value if there is a row with a value. */
  folding: new Set("sum min max avg bool_and bool_or every string_agg bit_or bit_and".split(" ")),
};
