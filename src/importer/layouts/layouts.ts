import type { Dataset } from "../../registry/datasets.ts";
import { censusReader } from "../rows/census.ts";
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
    header: CENSUS_COLUMNS.map(columnName),
    socrataIds: ["az4n-8mr2"],
    reader: censusReader,
  },
  ...MOTUS_LAYOUTS,
  ...LEGACY_LAYOUTS,
];

/**
 * The columns that a dataset's staged rows fill, in the order in which they are written. The census has a key of its own;
 * the rows of the others begin with the hash of their content.
 */
export const STAGED_COLUMNS = Object.fromEntries(
  LAYOUTS.map(({ dataset, reader }) => [
    dataset,
    dataset === "census" ? reader.tableColumns : ["row_id", ...reader.tableColumns],
  ]),
) as Readonly<Record<Dataset, readonly string[]>>;

/** What an operator knows a dataset's file as. */
export const titleOf = (dataset: Dataset): string =>
  LAYOUTS.find((layout) => layout.dataset === dataset)?.title ?? dataset;
