import { CARGO_COLUMN_NAMES } from "../../registry/cargo.ts";
import type { Dataset } from "../../registry/datasets.ts";
import { censusReader } from "../rows/census.ts";
import { oosOrderReader } from "../rows/oos-order.ts";
import { CENSUS_COLUMNS } from "./census-columns.ts";
import { columnName, type Layout, words } from "./layout.ts";
import { LEGACY_LAYOUTS } from "./legacy-layouts.ts";
import { MOTUS_LAYOUTS } from "./motus-layouts.ts";

/** Every registry file that is imported. */
export const LAYOUTS: readonly Layout[] = [
  {
    dataset: "census",
    title: "Company Census File",
    columns: words(`
      DOT_NUMBER STATUS_CODE LEGAL_NAME DBA_NAME PHY_STREET PHY_CITY PHY_STATE PHY_ZIP PHY_CNTY PHY_COUNTRY PHONE
      CELL_PHONE EMAIL_ADDRESS POWER_UNITS TOTAL_DRIVERS CRGO_GENFREIGHT CARRIER_OPERATION ADD_DATE MCS150_DATE`),
    optionalColumns: words(`
      HM_IND SAFETY_RATING SAFETY_RATING_DATE MCS150_MILEAGE MCS150_MILEAGE_YEAR BUSINESS_ORG_ID
      ${CARGO_COLUMN_NAMES.filter((column) => column !== "CRGO_GENFREIGHT").join(" ")}`),
    header: CENSUS_COLUMNS.map(columnName),
    socrataIds: ["az4n-8mr2"],
    reader: censusReader,
  },
  {
    dataset: "oos_order",
    title: "Out-of-service orders",
    // STATUS is that of the USDOT number, not of the order: it is not read.
    columns: words("DOT_NUMBER OOS_DATE OOS_REASON RESCIND_DATE"),
    // Its name in the dictionary.
    aliases: { OOS_RESCIND_DATE: "RESCIND_DATE" },
    header: words("DOT_NUMBER LEGAL_NAME DBA_NAME OOS_DATE OOS_REASON STATUS RESCIND_DATE"),
    socrataIds: ["p2mt-9ige"],
    reader: oosOrderReader,
  },
  ...MOTUS_LAYOUTS,
  ...LEGACY_LAYOUTS,
];

/**
 * The columns of a dataset's staged rows, in the order in which they are written. Rows begin with the hash of their
 * content, except those of the census, which have a key.
 */
export const STAGED_COLUMNS = Object.fromEntries(
  LAYOUTS.map(({ dataset, reader }) => [
    dataset,
    dataset === "census" ? reader.tableColumns : ["row_id", ...reader.tableColumns],
  ]),
) as Readonly<Record<Dataset, readonly string[]>>;

/** The name of a dataset's file in messages. */
export const titleOf = (dataset: Dataset): string =>
  LAYOUTS.find((layout) => layout.dataset === dataset)?.title ?? dataset;
