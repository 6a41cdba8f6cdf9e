import { cleanText, readStateCode } from "../../registry/registry-text.ts";
import { docket, usdot, value } from "../rows/fields.ts";
import { type OfficialFile, words } from "../rows/official-file.ts";
import { docketKey, motusKey, nothingButKeyOfDifference } from "../rows/row-rules.ts";

const fields = {
  docket,
  usdot,
  agent: value("CO_NAME", cleanText),
  agent_state: value("STATE_CODE", readStateCode),
};

/** The process agent of each docket. In a whole file a row without agent means that none is on file. */
export const motusBoc3: OfficialFile = {
  dataset: "motus_boc3",
  title: "Motus BOC3",
  ids: ["6snj-ed7q"],
  differenceId: "mhr5-hjyc",
  header: words("DOCKET_NUMBER USDOT_NUMBER CO_NAME STREET_PO CITY STATE_CODE ZIP_CODE CTRY_CODE"),
  key: motusKey,
  leftOut: [nothingButKeyOfDifference],
  fields,
};

/** The process agent of each docket when the legacy registry stopped. */
export const legacyBoc3: OfficialFile = {
  dataset: "legacy_boc3",
  title: "legacy BOC3",
  ids: ["2emp-mxtb", "gmxu-awv7"],
  header: words(
    "DOCKET_NUMBER DOT_NUMBER CO_NAME ATTN_TO_OR_TITLE STREET_PO CITY STATE_CODE CTRY_CODE ZIP_CODE",
  ),
  key: docketKey(),
  fields,
};
