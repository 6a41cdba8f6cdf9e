import { CLASS_WORDS } from "./authority-classes.ts";

/** Codes that say nothing to people without their underscores. */
const CODE_WORDS: Readonly<Record<string, string>> = { ...CLASS_WORDS, bipd: "liability" };

/** The words of the codes that the census has for the status of a USDOT number. */
export const USDOT_STATUS_WORDS: Readonly<Record<string, string>> = {
  A: "active",
  I: "inactive",
  P: "pending",
};

/** A code of the contract for people to read: `trust_fund` as `trust fund`, `carrier_hhg` as `carrier of household goods`. */
export const codeInWords = (code: string): string => CODE_WORDS[code] ?? code.replaceAll("_", " ");
