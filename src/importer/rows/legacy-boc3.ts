import { readDocket, readUsdot } from "../../registry/docket.ts";
import { cleanText, readStateCode } from "../../registry/registry-text.ts";
import { words } from "../layouts/layout.ts";
import { reject } from "../tally.ts";
import type { DatasetReader } from "./row-reader.ts";

/** Legacy BOC3: the process agent of each docket when that registry stopped. A row without agent means that none was on file. */
export const legacyBoc3Reader: DatasetReader = {
  tableColumns: words("docket usdot agent agent_state"),
  open: (at, { tally }) => {
    const [docketAt, usdotAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER")];
    const [agentAt, stateAt] = [at("CO_NAME"), at("STATE_CODE")];

    return (line) => {
      const docket = readDocket(line.field(docketAt));
      if (docket === null) return reject(tally, "no docket");
      line.cell(docket);
      line.cell(readUsdot(line.field(usdotAt)));
      line.cell(cleanText(line.field(agentAt)));
      line.cell(readStateCode(line.field(stateAt)));
      return true;
    };
  },
};
