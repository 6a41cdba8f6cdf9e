import { cleanText } from "../../registry/registry-text.ts";
import { UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import type { CodedValues } from "../checks/coded-values.ts";
import { REASONS, repair, type Tally } from "../tally.ts";
import { remembered } from "./row-reader.ts";

/** Reads the status words of Motus in lower case; counts new ones. A blank one becomes `unknown`. */
export function motusStatusOf(coded: CodedValues, tally: Tally): (raw: string | undefined) => string {
  const meaning = coded.of("OP_AUTH_STATUS");
  const wording = remembered((raw) => cleanText(raw)?.toLowerCase() ?? UNKNOWN);
  return (raw) => {
    const status = meaning(raw);
    if (status !== UNKNOWN) return status;
    const word = wording(raw ?? "");
    repair(tally, word === UNKNOWN ? REASONS.noStatus : REASONS.unknownStatus);
    return word;
  };
}

/** Reads the classes of Motus; counts wordings that name no known class. */
export function motusClassOf(coded: CodedValues, tally: Tally): (opAuthType: string) => string {
  const meaning = coded.of("OP_AUTH_TYPE");
  return (opAuthType) => {
    const authorityClass = meaning(opAuthType);
    if (authorityClass === UNKNOWN) repair(tally, "unknown authority type");
    return authorityClass;
  };
}
