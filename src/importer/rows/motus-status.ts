import { motusAuthorityClass } from "../../carriers/authority-class.ts";
import { cleanText } from "../../carriers/registry-text.ts";
import { REASONS, repair, type Tally } from "../tally.ts";
import { remembered } from "./row-reader.ts";

const STATUSES = new Set(["active", "pending", "inactive", "withdrawn"]);

/** Reads Motus' status words: in lower case, new ones kept and counted, `unknown` for a blank one. */
export function motusStatusOf(tally: Tally): (raw: string | undefined) => string {
  return (raw) => {
    const status = cleanText(raw)?.toLowerCase();
    if (status === undefined) {
      repair(tally, REASONS.noStatus);
      return "unknown";
    }
    if (!STATUSES.has(status)) repair(tally, REASONS.unknownStatus);
    return status;
  };
}

/** Reads Motus' classes; a wording that says none is counted. */
export function motusClassOf(tally: Tally): (opAuthType: string) => string {
  const classOf = remembered(motusAuthorityClass);
  return (opAuthType) => {
    const authorityClass = classOf(opAuthType);
    if (authorityClass === "unknown") repair(tally, "unknown authority type");
    return authorityClass;
  };
}
