/** What a feed says of a column: its name in JSON and CSV, its type, and where its values come from. */
export interface Column {
  name: string;
  /** A list is a JSON array of texts; in CSV its values are joined by `;`. */
  kind: "text" | "integer" | "boolean" | "date" | "list";
  isNullable: boolean;
  meaning: string;
  /** Null where the value has none. */
  unit: string | null;
  /** The registry's file and field, or how it is derived. */
  source: string;
}

const column = (
  name: string,
  kind: Column["kind"],
  isNullable: boolean,
  meaning: string,
  source: string,
  unit: string | null = null,
): Column => ({ name, kind, isNullable, meaning, unit, source });

/** Who: the first columns of every feed. */
export const IDENTITY: readonly Column[] = [
  column(
    "company",
    "text",
    false,
    "Legal name of the business",
    "Census LEGAL_NAME, else Motus, else legacy",
  ),
  column("dba_name", "text", true, "Name it does business as", "Census DBA_NAME, else Motus, else legacy"),
  column("dot_number", "text", false, "USDOT number, without leading zeros", "Census DOT_NUMBER"),
  column(
    "docket_number",
    "text",
    true,
    "Docket of the authority; null where the registry gave none",
    "Motus or legacy DOCKET_NUMBER",
  ),
];

/** carrier_property, carrier_hhg; in the feeds of changes also broker, freight_forwarder. */
export const AUTHORITY_TYPE: Column = column(
  "authority_type",
  "text",
  false,
  "Class of the operating authority",
  "Motus OP_AUTH_TYPE, else the legacy authority columns",
);

/** broker or freight_forwarder. */
export const ENTITY_TYPE: Column = column(
  "entity_type",
  "text",
  false,
  "Broker or freight forwarder",
  "Motus OP_AUTH_TYPE, else the legacy columns and docket prefix",
);

/** The order that takes the authority away. */
export const ORDER: readonly Column[] = [
  column(
    "order_type",
    "text",
    false,
    "The order as the registry words it",
    "Motus RevokeSuspend ORDER1_TYPE_DESC",
  ),
  column("order_served", "date", true, "When it was served", "Motus RevokeSuspend ORDER1_SERVE_DATE"),
  column(
    "order_effective",
    "date",
    false,
    "When it takes effect",
    "Motus RevokeSuspend ORDER1_EFFECTIVE_DATE",
  ),
];

/** What is wrong with the insurance. */
export const INSURANCE: readonly Column[] = [
  column(
    "alert_reason",
    "text",
    false,
    "Cancellation without replacement, nothing on file, or suspended",
    "Derived from Motus InsHist, Carrier and AuthHist",
  ),
  column("insurance_type", "text", true, "Kind of coverage the alert is about", "Motus INS_TYPE_CODE"),
  column(
    "cancellation_effective",
    "date",
    true,
    "When the cancellation takes effect",
    "Motus InsHist CANCL_EFFECTIVE_DATE",
  ),
  column("insurer", "text", true, "Insurance or surety company", "Motus INSURANCE_COMPANY_NAME"),
];

/** How the authority stands, since when, and where the business is reached. */
export const STATUS_AND_CONTACT: readonly Column[] = [
  column(
    "authority_status",
    "text",
    false,
    "Status of the authority now",
    "Motus OP_AUTH_STATUS, else legacy",
  ),
  column(
    "authority_granted",
    "date",
    true,
    "Grant of the authority that is active now",
    "Motus AuthHist STATUS_CHANGE_DATE, else legacy AuthHist ORIG_SERVED_DATE",
  ),
  column(
    "days_in_business",
    "integer",
    true,
    "From authority_granted to the feed's as_of",
    "Computed",
    "days",
  ),
  column(
    "street",
    "text",
    true,
    "Street of the place of business",
    "Census PHY_STREET, else Motus, else legacy",
  ),
  column("city", "text", true, "City of the place of business", "Census PHY_CITY, else Motus, else legacy"),
  column("state", "text", true, "US state or territory", "Census PHY_STATE, else Motus, else legacy"),
  column("zip", "text", true, "ZIP code as filed", "Census PHY_ZIP, else Motus, else legacy"),
  column("time_zone", "text", true, "IANA time zone", "Derived from census PHY_STATE and PHY_CNTY"),
  column(
    "phone",
    "text",
    true,
    "Business phone, 10 digits; no agent's, not shared by many",
    "Census PHONE, else Motus or legacy BUS_TELNO",
  ),
  column("phone_type", "text", true, "Line type the number itself shows", "Derived from phone"),
  column(
    "cell_phone",
    "text",
    true,
    "Filed cell phone, 10 digits; no agent's, not shared",
    "Census CELL_PHONE",
  ),
  column("has_cell", "boolean", false, "Whether cell_phone is there", "Derived from census CELL_PHONE"),
  column("email", "text", true, "E-mail; no agent's, not shared by many", "Census EMAIL_ADDRESS"),
];

/** The fleet of a carrier. */
export const FLEET: readonly Column[] = [
  column("power_units", "integer", true, "Trucks, tractors and buses", "Census POWER_UNITS", "vehicles"),
  column("drivers", "integer", true, "Drivers", "Census TOTAL_DRIVERS", "persons"),
  column("general_freight", "boolean", true, "Whether it hauls general freight", "Census CRGO_GENFREIGHT"),
];

/** What a record that stands for a company, not for one authority, speaks for. */
export const AUTHORITY_TYPES: Column = column(
  "authority_types",
  "list",
  false,
  "Every class of the company's carrier authorities that meets the feed's rules",
  "Motus OP_AUTH_TYPE, else the legacy authority columns",
);

/** How far the status can be trusted: the last columns of every feed. */
export const VERIFICATION: readonly Column[] = [
  column(
    "status_source",
    "text",
    false,
    "Registry the status comes from: motus or legacy",
    "Derived; legacy where Motus has recorded no change since it replaced the older system",
  ),
  column(
    "last_verified",
    "date",
    false,
    "Date of the file that last confirmed the status",
    "Newest row date of the registry file; no later than 2026-05-14 for legacy",
  ),
];

/** Columns that change although the registry says nothing new. */
export const VOLATILE_COLUMNS = ["days_in_business", "last_verified"];

/** Columns that tell who and where a business is: their values stay out of reports. */
export const PERSONAL_COLUMNS = [
  "company",
  "dba_name",
  "street",
  "city",
  "zip",
  "phone",
  "cell_phone",
  "email",
];
