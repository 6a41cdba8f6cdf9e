import { cleanText, readStateCode } from "../../registry/registry-text.ts";
import { words } from "../layouts/layout.ts";
import { isNothingButKey, readMotusKey } from "./motus-key.ts";
import type { DatasetReader } from "./row-reader.ts";

/** Motus BOC3: the process agent of each docket. In a whole file a row without agent means that none is on file. */
export const motusBoc3Reader: DatasetReader = {
  tableColumns: words("docket usdot agent agent_state"),
  open: (at, options) => {
    const [docketAt, usdotAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER")];
    const [agentAt, stateAt] = [at("CO_NAME"), at("STATE_CODE")];

    return (line) => {
      const key = readMotusKey(line, docketAt, usdotAt, options.tally);
      if (!key) return false;
      if (
        options.isDifference &&
        isNothingButKey(line, [agentAt, stateAt], { ...key, opAuthType: "" }, options)
      )
        return false;
      line.cell(key.docket);
      line.cell(key.usdot);
      line.cell(cleanText(line.field(agentAt)));
      line.cell(readStateCode(line.field(stateAt)));
      return true;
    };
  },
};
