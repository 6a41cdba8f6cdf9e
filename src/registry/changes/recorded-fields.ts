import { CARGO_WORDS } from "../cargo.ts";
import type { Dataset } from "../datasets.ts";

/** What a change is about. The list may grow. */
export type ChangeCategory =
  | "authority"
  | "insurance"
  | "order"
  | "out_of_service"
  | "contact"
  | "address"
  | "name"
  | "fleet"
  | "census"
  | "connection";

/** A field whose changes are recorded. */
export interface RecordedField {
  category: ChangeCategory;
  field: string;
  column: string;
  /** Only letters and digits are compared: another case, other blanks or other punctuation are no change. */
  ignoresForm?: boolean;
  /** SQL of the value as feeds show it, from the column. */
  shown?: (column: string) => string;
}

/** A table of the registry, the things that its rows are about, and their recorded fields. */
export interface RecordedSource {
  table: "authority" | Exclude<Dataset, `legacy_${string}`>;
  /** The columns that identify a thing, with its docket if it has one. The file may have several rows about it. */
  key: readonly string[];
  /** The SQL order of these rows: the first one gives the values. */
  newestFirst: string;
  /** The members of `item`, which tells the things of one company apart: name and column. */
  item: Readonly<Record<string, string>>;
  /** The change of a thing that appears or disappears. Its value is the column, or an object of several columns. */
  presence?: { category: ChangeCategory; field: string; columns: readonly string[] };
  /** The change of a thing that goes on under another USDOT number. */
  transfer?: { category: ChangeCategory; field: string };
  fields: readonly RecordedField[];
  /** Fields of the company itself: rows about several of its authorities repeat them, and one change is recorded. */
  companyFields?: readonly RecordedField[];
  /** The columns with the day that the registry gives to a thing's newest state: the first one that is filled. */
  days?: readonly string[];
  /** The column with the day on which the company filed its row: the registry's day, if it differs from before. */
  filedOn?: string;
}

const exact = (category: ChangeCategory, field: string, column = field): RecordedField => ({
  category,
  field,
  column,
});
const written = (category: ChangeCategory, field: string): RecordedField => ({
  ...exact(category, field),
  ignoresForm: true,
});

const operationWord = (column: string): string =>
  `CASE ${column} WHEN 'A' THEN 'interstate' WHEN 'B' THEN 'intrastate_hm' WHEN 'C' THEN 'intrastate' END`;

const cargoWords = (column: string): string => {
  const words = CARGO_WORDS.map(
    (word, index) => `CASE WHEN ${column} & ${1 << index} <> 0 THEN '${word}' END`,
  );
  return `CASE WHEN ${column} IS NOT NULL THEN array_remove(ARRAY [${words}], NULL) END`;
};

/** Names, address and phone, as census and Motus Carrier have them. Import has reduced phones to their digits. */
const COMPANY_FIELDS: readonly RecordedField[] = [
  written("name", "legal_name"),
  written("name", "dba_name"),
  written("address", "street"),
  written("address", "city"),
  exact("address", "state"),
  written("address", "zip"),
  exact("address", "country"),
  exact("contact", "phone"),
];

/**
 * Every recorded field, said once: the SQL is made of this list, and docs/operating/recorded-changes.md shows it. Columns
 * that the program computes from the day are not in it: they would change every day.
 */
export const RECORDED_SOURCES: readonly RecordedSource[] = [
  {
    table: "authority",
    key: ["docket", "authority_class", "usdot"],
    newestFirst: "status",
    item: { authority_type: "authority_class" },
    presence: { category: "authority", field: "status", columns: ["status"] },
    transfer: { category: "authority", field: "holder" },
    fields: [exact("authority", "status")],
    days: ["changed_on"],
  },
  {
    table: "census",
    key: ["usdot"],
    newestFirst: "usdot",
    item: {},
    presence: { category: "census", field: "usdot_status", columns: ["status_code"] },
    fields: [
      exact("census", "usdot_status", "status_code"),
      ...COMPANY_FIELDS,
      exact("contact", "cell_phone"),
      exact("contact", "email"),
      exact("fleet", "power_units"),
      exact("fleet", "drivers"),
      { ...exact("census", "carrier_operation"), shown: operationWord },
      exact("census", "hazmat"),
      { ...exact("census", "cargo"), shown: cargoWords },
      exact("census", "safety_rating"),
      exact("census", "safety_rating_date", "safety_rating_on"),
      exact("census", "mcs150_date", "updated_on"),
      exact("census", "annual_mileage"),
      exact("census", "mileage_year"),
      exact("census", "prior_usdot"),
    ],
    filedOn: "updated_on",
  },
  {
    table: "motus_carrier",
    key: ["docket", "authority_class", "usdot"],
    newestFirst: `array_position(ARRAY ['active', 'pending', 'inactive', 'withdrawn'], status) NULLS LAST, op_auth_type,
      bipd_on_file DESC, row_id`,
    item: { authority_type: "authority_class" },
    fields: [
      exact("insurance", "insurance_required", "min_coverage"),
      exact("insurance", "insurance_on_file", "bipd_on_file"),
      exact("insurance", "cargo_required"),
      exact("insurance", "cargo_on_file"),
      exact("insurance", "bond_required"),
      exact("insurance", "bond_on_file"),
    ],
    companyFields: COMPANY_FIELDS,
  },
  {
    table: "motus_authhist",
    key: ["docket", "authority_class", "status", "changed_on"],
    newestFirst: "usdot, reason, row_id",
    item: { authority_type: "authority_class" },
    // The reason is kept but not compared: the registry rewords reasons of old rows.
    presence: { category: "authority", field: "status_change", columns: ["status", "reason", "changed_on"] },
    fields: [],
    days: ["changed_on"],
  },
  {
    table: "motus_revokesuspend",
    key: ["docket", "usdot", "authority_class", "served_on", "effective_on"],
    newestFirst: "order_type, row_id",
    item: { authority_type: "authority_class" },
    presence: { category: "order", field: "order", columns: ["order_type", "served_on", "effective_on"] },
    fields: [],
    days: ["served_on"],
  },
  {
    table: "motus_insur",
    key: ["docket", "type_code", "policy_key"],
    newestFirst:
      "filed_on DESC NULLS LAST, max_coverage DESC NULLS LAST, effective_on DESC NULLS LAST, usdot, row_id",
    item: { insurance_type: "type_code", policy_no: "policy_key" },
    presence: {
      category: "insurance",
      field: "policy",
      columns: [
        "policy_no",
        "insurer",
        "form_code",
        "class_code",
        "max_coverage",
        "effective_on",
        "filed_on",
      ],
    },
    fields: [
      written("insurance", "insurer"),
      exact("insurance", "form_code"),
      exact("insurance", "class_code"),
      exact("insurance", "max_coverage"),
      exact("insurance", "effective_on"),
    ],
    days: ["filed_on"],
  },
  {
    table: "motus_inshist",
    key: ["docket", "type_code", "policy_key", "filing_status", "cancelled_on"],
    newestFirst: "effective_on DESC NULLS LAST, usdot, row_id",
    item: { insurance_type: "type_code", policy_no: "policy_key" },
    presence: {
      category: "insurance",
      field: "policy_end",
      columns: ["policy_no", "insurer", "filing_status", "cancelled_on"],
    },
    fields: [],
    days: ["cancelled_on"],
  },
  {
    table: "oos_order",
    key: ["usdot", "ordered_on"],
    // Of several orders of a day, one in force counts.
    newestFirst: "rescinded_on NULLS FIRST, reason, row_id",
    item: { ordered_on: "ordered_on" },
    presence: {
      category: "out_of_service",
      field: "out_of_service_order",
      columns: ["ordered_on", "reason", "rescinded_on"],
    },
    fields: [exact("out_of_service", "rescinded_on"), written("out_of_service", "reason")],
    days: ["rescinded_on", "ordered_on"],
  },
];

/** The recorded fields of a source, each once: a field that also tells of an appearance is one of them. */
export const fieldsOf = ({
  presence,
  transfer,
  fields,
  companyFields = [],
}: RecordedSource): { category: ChangeCategory; field: string }[] => {
  const all = [...(presence ? [presence] : []), ...(transfer ? [transfer] : []), ...fields, ...companyFields];
  return [...new Map(all.map(({ category, field }) => [field, { category, field }])).values()];
};
