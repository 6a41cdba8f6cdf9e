import { RECORDED_SOURCES, type RecordedField, type RecordedSource } from "./recorded-fields.ts";

/** The tables of which a merge keeps the rows that it inserted and deleted. */
export const ROWS_KEPT: ReadonlySet<string> = new Set([
  ...RECORDED_SOURCES.map(({ table }) => table).filter((table) => !["authority", "census"].includes(table)),
  // Nothing of it is recorded, but the import compares its rows.
  "motus_boc3",
]);

/**
 * The statement that writes the changes of a source. It compares the things that this import's merges touched before and
 * after. Parameters: the fields to record, the as-of day, the time, the number of the import. Returns the number of
 * changes by category.
 */
export function changeStatement(source: RecordedSource): string {
  const { table, key, item, presence, fields, companyFields = [] } = source;
  const { before, now } = relationsOf(source);
  const hasDocket = key.includes("docket");
  const either = (column: string) => `coalesce(now.${column}, before.${column})`;
  const ofThing = `${hasDocket ? `shown_docket(${either("docket")})` : "NULL::text"}, ${itemOf(item, either)}`;
  const ofCompany = "NULL::text, NULL::jsonb";
  const changes = [
    ...(presence ? [presenceRow(presence, ofThing)] : []),
    ...fields.map((field) => fieldRow(field, ofThing)),
    ...companyFields.map((field) => fieldRow(field, ofCompany)),
  ];
  const usdot = hasDocket
    ? `coalesce(now.usdot, before.usdot, ${holderOf(either("docket"))})`
    : either("usdot");
  return `
    WITH before AS (${before}), now AS (${now}),
    found AS (
      SELECT DISTINCT ON (${usdot}, change.docket, change.item, change.field, change.form_before, change.form_now)
        ${usdot} AS usdot, change.docket, change.item, change.category, change.field, change.old_value, change.new_value,
        ${dayOf(source)} AS registry_on, ${sourceOf(table)} AS source
      FROM before FULL JOIN now USING (thing)
      CROSS JOIN LATERAL (VALUES
        ${changes.join(",\n        ")}
      ) AS change (category, field, docket, item, is_compared, form_before, form_now, old_value, new_value)
      WHERE is_compared AND form_before IS DISTINCT FROM form_now AND change.field = ANY ($1::text[])
      ORDER BY 1, change.docket, change.item, change.field, change.form_before, change.form_now, thing
    )${table === "authority" ? `, ${TOLD_BY_HOLDER}` : ""},
    written AS (
      INSERT INTO carrier_change
        (id, usdot, docket, item, category, field, old_value, new_value, registry_on, as_of, seen_at, source, run_id)
      SELECT
        (SELECT last_change_id()) + row_number() OVER (ORDER BY usdot, docket, item, field),
        usdot, docket, item, category, field, old_value, new_value, registry_on, $2::date, $3::timestamptz, source,
        $4::integer
      FROM ${table === "authority" ? "told" : "found"}
      WHERE ${["authority", "census"].includes(table) ? "usdot IS NOT NULL" : "usdot IN (SELECT usdot FROM authority)"}
      RETURNING category
    )
    SELECT category, count(*)::int AS changes FROM written GROUP BY category`;
}

// An authority that goes on under another USDOT number: both companies get one change with both numbers.
const TOLD_BY_HOLDER = `moved AS (
      SELECT gone.usdot AS usdot_before, came.usdot AS usdot_now, docket, item, gone.old_value AS status_before,
        came.new_value AS status_now, came.registry_on, came.source
      FROM found AS gone JOIN found AS came USING (docket, item)
      WHERE 'holder' = ANY ($1::text[]) AND gone.usdot <> came.usdot AND came.old_value IS NULL AND gone.old_value IS NOT NULL
        AND (gone.new_value IS NULL OR gone.new_value <@ '["inactive", "withdrawn"]')
    ),
    told AS (
      SELECT * FROM found WHERE NOT EXISTS (
        SELECT FROM moved WHERE moved.docket = found.docket AND moved.item = found.item
          AND found.usdot IN (moved.usdot_before, moved.usdot_now))
      UNION ALL
      SELECT company.usdot, docket, item, 'authority', 'holder',
        jsonb_build_object('usdot', usdot_before, 'status', status_before),
        jsonb_build_object('usdot', usdot_now, 'status', status_now), registry_on, source
      FROM moved CROSS JOIN LATERAL (VALUES (usdot_before), (usdot_now)) AS company (usdot)
    )`;

/** A row without USDOT number is about the company that holds the docket. */
const holderOf = (docket: string): string =>
  `(SELECT min(holder.usdot) FROM authority AS holder WHERE holder.docket = ${docket})`;

/** The things that an import touched, before and after it: a row of each, with `thing`, its key as text. */
function relationsOf({ table, key, fields, filedOn, newestFirst }: RecordedSource): {
  before: string;
  now: string;
} {
  // An order may name its company on one day and leave it blank on another.
  const named = (column: string) =>
    table === "motus_revokesuspend" && column === "usdot"
      ? `coalesce(row.usdot, ${holderOf("row.docket")})`
      : `row.${column}`;
  const thing = `ROW (${key.map(named)})::text AS thing`;
  if (table === "census") {
    // Most companies of the census never had an authority: they are left out before anything is compared.
    const changed = "FROM census_change WHERE changed_usdot IN (SELECT usdot FROM authority)";
    const names = new Set([...key, ...fields.map(({ column }) => column), ...(filedOn ? [filedOn] : [])]);
    const namedNow = [...names].map((name) => `now_${name} AS ${name}`);
    return {
      before: `SELECT ${thing}, row.* FROM (SELECT * ${changed} AND NOT is_inserted) AS row`,
      now: `SELECT ${thing}, row.* FROM (SELECT ${namedNow} ${changed} AND NOT is_deleted) AS row`,
    };
  }
  if (table === "authority") return { before: STATUSES_BEFORE(thing), now: STATUSES_NOW(thing) };
  // All rows about a docket are compared: one that stays may be about the same thing as one that was deleted. Only an order
  // may have no docket.
  const about = (row: string) => {
    if (!key.includes("docket")) return `${row}.usdot`;
    return table === "motus_revokesuspend"
      ? `coalesce(${row}.docket, 'DOT' || ${row}.usdot)`
      : `${row}.docket`;
  };
  const isTouched = `${about("stored")} IN (
      SELECT ${about("gone")} FROM deleted_${table} AS gone
      UNION ALL SELECT ${about("added")} FROM ${table} AS added JOIN inserted_${table} USING (row_id))`;
  const isOld = `NOT EXISTS (SELECT FROM inserted_${table} AS added WHERE added.row_id = stored.row_id)`;
  const newestOf = (rows: string) =>
    `SELECT DISTINCT ON (thing) * FROM (SELECT ${thing}, row.* FROM (${rows}) AS row) AS named
     ORDER BY thing, ${newestFirst}`;
  const stored = `SELECT stored.* FROM ${table} AS stored WHERE ${isTouched}`;
  return {
    before: newestOf(`${stored} AND ${isOld} UNION ALL SELECT * FROM deleted_${table}`),
    now: newestOf(stored),
  };
}

// Nothing is known of an authority that is missing: its status is null.
const STATUSES_BEFORE = (thing: string): string => `
  SELECT ${thing}, row.docket, row.authority_class, row.usdot, nullif(row.status_before, 'missing') AS status
  FROM authority_change AS row
  WHERE row.status_before IS NOT NULL AND row.status_before IS DISTINCT FROM row.status_after`;

// Whether the authority lost its status after the day of the row, which was known before: it stayed, or it also came back.
const LOST_SINCE = `EXISTS (
      SELECT FROM carrier_change AS lost
      WHERE lost.usdot = row.usdot AND lost.field = 'status' AND lost.docket IS NOT DISTINCT FROM shown_docket(row.docket)
        AND lost.item ->> 'authority_type' = row.authority_class AND lost.old_value = to_jsonb(row.status_after)
        AND lost.as_of > newest.changed_on AND (
          newest.row_id NOT IN (SELECT row_id FROM inserted_motus_authhist)
          OR EXISTS (
            SELECT FROM carrier_change AS gone
            WHERE gone.usdot = lost.usdot AND gone.field = 'status_change' AND gone.docket IS NOT DISTINCT FROM lost.docket
              AND gone.item = lost.item AND gone.old_value ->> 'changed_on' = newest.changed_on::text
              AND gone.old_value ->> 'status' = row.status_after)))`;

// The file that gives the status: Carrier, unless only the history or an order tells it. The day is that of the newest
// row of the history, if it has this status. Rows about another company that had the docket give no day, nor does one with
// which the authority lost this status since: it came back without a row of its own.
const STATUSES_NOW = (thing: string): string => `
  SELECT ${thing}, row.docket, row.authority_class, row.usdot, nullif(row.status_after, 'missing') AS status,
    CASE WHEN NOT ${LOST_SINCE} THEN newest.changed_on END AS changed_on,
    CASE
      WHEN authority.status_source = 'legacy' THEN 'legacy_carrier'
      WHEN row.status_after = 'missing' OR EXISTS (
        SELECT FROM motus_carrier AS listed
        WHERE listed.docket = row.docket AND listed.authority_class = row.authority_class AND listed.usdot = row.usdot
          AND listed.status = row.status_after) THEN 'motus_carrier'
      WHEN newest.changed_on IS NOT NULL THEN 'motus_authhist'
      ELSE 'motus_revokesuspend'
    END AS source
  FROM authority_change AS row
  JOIN authority USING (docket, authority_class, usdot)
  LEFT JOIN LATERAL (
    SELECT history.row_id, history.status, history.changed_on FROM motus_authhist AS history
    WHERE history.docket = row.docket AND history.authority_class = row.authority_class
      AND coalesce(history.usdot = row.usdot, true) AND history.changed_on <= $2::date
    ORDER BY history.changed_on DESC, history.status = row.status_after DESC LIMIT 1
  ) AS newest ON newest.status = row.status_after
  WHERE row.status_after IS NOT NULL AND row.status_before IS DISTINCT FROM row.status_after`;

const sourceOf = (table: RecordedSource["table"]): string =>
  table === "authority" ? "coalesce(now.source, 'motus_carrier')" : `'${table}'`;

function itemOf(item: RecordedSource["item"], either: (column: string) => string): string {
  const members = Object.entries(item).map(([name, column]) => `'${name}', ${either(column)}`);
  return members.length === 0 ? "NULL::jsonb" : `jsonb_build_object(${members})`;
}

function presenceRow(
  { category, field, columns }: NonNullable<RecordedSource["presence"]>,
  of: string,
): string {
  const [only] = columns;
  const valuesOf = (row: string) =>
    columns.length === 1
      ? `to_jsonb(${row}.${only})`
      : `CASE WHEN ${row}.thing IS NOT NULL THEN jsonb_build_object(${columns.map((column) => `'${column}', ${row}.${column}`)}) END`;
  // The values are the form: several rows of one thing that come or go together are one change, and nothing known none.
  const [before, now] = [valuesOf("before"), valuesOf("now")];
  return `('${category}', '${field}', ${of}, before.thing IS NULL OR now.thing IS NULL, (${before})::text, (${now})::text,
          ${before}, ${now})`;
}

function fieldRow(
  { category, field, column, ignoresForm, shown = (value) => value }: RecordedField,
  of: string,
): string {
  // A text that did not change has no form: making it takes long.
  const form = (row: string) =>
    ignoresForm
      ? `CASE WHEN before.${column} <> now.${column} IS NOT FALSE
          THEN nullif(upper(regexp_replace(${row}.${column}, '[[:space:][:punct:]‘’“”–—]+', '', 'g')), '') END`
      : `${row}.${column}::text`;
  return `('${category}', '${field}', ${of}, before.thing IS NOT NULL AND now.thing IS NOT NULL, ${form("before")},
          ${form("now")}, to_jsonb(${shown(`before.${column}`)}), to_jsonb(${shown(`now.${column}`)}))`;
}

/** The day that the registry gives to a change. */
function dayOf({ days, filedOn }: RecordedSource): string {
  if (filedOn) {
    // A row that was gone since it was filed comes back with its old day.
    const isBack = `before.thing IS NULL AND EXISTS (
      SELECT FROM carrier_change AS gone
      WHERE gone.usdot = now.usdot AND gone.field = change.field AND gone.new_value IS NULL AND gone.as_of >= now.${filedOn})`;
    return `CASE WHEN now.${filedOn} IS DISTINCT FROM before.${filedOn} AND NOT (${isBack}) THEN now.${filedOn} END`;
  }
  return days ? `coalesce(${days.map((day) => `now.${day}`)})` : "NULL::date";
}
