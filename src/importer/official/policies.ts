import { cleanCapitals } from "../../registry/registry-text.ts";
import { ROW_DAY } from "../../registry/sources.ts";
import { UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import { remembered } from "../rows/coded-values.ts";
import { day, twoYearsAfterFrozen, twoYearsAhead, whenFrozen } from "../rows/days.ts";
import {
  capitals,
  capitalsOr,
  coded,
  docket,
  dollars,
  policyNumber,
  shownAs,
  text,
  thousands,
  usdot,
} from "../rows/fields.ts";
import { type Field, fieldOf, type OfficialFile, words } from "../rows/official-file.ts";
import { docketKey, emptyRow, motusKey, nothingButKey } from "../rows/row-rules.ts";
import { REASONS, repair } from "../rows/tally.ts";

const form_code = capitals("INS_FORM_CODE");

/** The codes of a policy's type and class. */
const codes = {
  type_code: coded(capitals("INS_TYPE_CODE")),
  class_code: coded(capitals("INS_CLASS_CODE")),
};

/** Policies on file, one row per filing transaction. */
export const motusInsur: OfficialFile = {
  dataset: "motus_insur",
  title: "Motus Insur",
  ids: ["c5y8-a4uz"],
  differenceId: "x96h-evps",
  header: words(`
    DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT UNDERL_LIM_AMOUNT POLICY_NO
    EFFECTIVE_DATE INSURANCE_COMPANY_NAME TRANS_DATE`),
  key: motusKey,
  leftOut: [nothingButKey],
  fields: {
    docket,
    usdot,
    form_code,
    ...codes,
    max_coverage: dollars("MAX_COV_AMOUNT"),
    ...policyNumber,
    effective_on: day("EFFECTIVE_DATE", twoYearsAhead),
    insurer: shownAs("INSURANCE_COMPANY_NAME", "insurer"),
    filed_on: day("TRANS_DATE", twoYearsAhead),
  },
  dated: [ROW_DAY.motus_insur],
};

/** Policies that ended or will end; old ones often have no date. */
export const motusInshist: OfficialFile = {
  dataset: "motus_inshist",
  title: "Motus InsHist",
  ids: ["3uet-3z4i"],
  differenceId: "xe5s-wca7",
  header: words(`
    DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE FILING_STATUS_REASON INS_TYPE_CODE INS_TYPE_IND POLICY_NO INS_TYPE_DESC
    MIN_COV_AMOUNT INS_CLASS_CODE EFFECTIVE_DATE UNDERL_LIM_AMOUNT MAX_COV_AMOUNT CANCL_EFFECTIVE_DATE
    INSURANCE_COMPANY_NAME`),
  key: motusKey,
  leftOut: [nothingButKey],
  fields: {
    docket,
    usdot,
    form_code,
    filing_status: coded(capitalsOr("FILING_STATUS_REASON", UNKNOWN, REASONS.noStatus)),
    ...codes,
    ...policyNumber,
    effective_on: day("EFFECTIVE_DATE", twoYearsAhead),
    cancelled_on: day("CANCL_EFFECTIVE_DATE", twoYearsAhead),
    insurer: shownAs("INSURANCE_COMPANY_NAME", "insurer"),
  },
};

/** Policies on file when the legacy registry stopped, by docket without USDOT number. */
export const legacyInsur: OfficialFile = {
  dataset: "legacy_insur",
  title: "legacy Insur",
  ids: ["ypjt-5ydn", "xkn3-5fci"],
  header: words(`
    PREFIX_DOCKET_NUMBER INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT UNDERL_LIM_AMOUNT POLICY_NO EFFECTIVE_DATE
    INS_FORM_CODE NAME_COMPANY`),
  key: docketKey("PREFIX_DOCKET_NUMBER"),
  leftOut: [emptyRow("no policy")],
  fields: {
    docket,
    ...codes,
    max_coverage: thousands("MAX_COV_AMOUNT"),
    ...policyNumber,
    effective_on: day("EFFECTIVE_DATE", twoYearsAfterFrozen),
    form_code,
    insurer: shownAs("NAME_COMPANY", "insurer"),
  },
};

/** Policies in force or future when the legacy registry stopped, with the day on which they end. */
export const legacyActpendinsur: OfficialFile = {
  dataset: "legacy_actpendinsur",
  title: "legacy ActPendInsur",
  ids: ["qh9u-swkp", "y77m-3nfx"],
  header: words(`
    DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE INS_TYPE_DESC NAME_COMPANY POLICY_NO TRANS_DATE UNDERL_LIM_AMOUNT
    MAX_COV_AMOUNT EFFECTIVE_DATE CANCL_EFFECTIVE_DATE`),
  aliases: { MOD_COL_1: "INS_TYPE_DESC" },
  key: docketKey(),
  fields: {
    docket,
    usdot,
    form_code,
    insurance_type: coded(text("INS_TYPE_DESC")),
    insurer: shownAs("NAME_COMPANY", "insurer"),
    ...policyNumber,
    filed_on: day("TRANS_DATE", whenFrozen),
    max_coverage: thousands("MAX_COV_AMOUNT"),
    effective_on: day("EFFECTIVE_DATE", twoYearsAfterFrozen),
    cancelled_on: day("CANCL_EFFECTIVE_DATE", twoYearsAfterFrozen),
  },
  dated: ["filed_on"],
};

/** How a policy ended, else the general word for it. */
const ending: Field = {
  columns: ["CANCL_METHOD", "CANCL_METHOD_GEN"],
  open: ({ at, coded }) => {
    const [methodAt, generalAt] = [at("CANCL_METHOD"), at("CANCL_METHOD_GEN")];
    const endingOf = coded.of("CANCL_METHOD");
    return (line) => {
      const status = cleanCapitals(line.field(methodAt)) ?? cleanCapitals(line.field(generalAt));
      endingOf(status ?? "");
      line.cell(status);
    };
  },
};

const TYPE_CODES = [
  ["BIPD", "1"],
  ["CARGO", "2"],
  ["SURETY", "3"],
  ["BOND", "3"],
  ["TRUST", "4"],
] as const;

/** The Motus code for the legacy registry's name of an insurance type: 1 BIPD, 2 cargo, 3 bond, 4 trust fund. */
const typeCode: Field = fieldOf("INS_TYPE_DESC", (index, { tally }) => {
  const codeOf = remembered((wording) => {
    const name = cleanCapitals(wording) ?? "";
    return TYPE_CODES.find(([begin]) => name.startsWith(begin))?.[1] ?? null;
  });
  return (line) => {
    const code = codeOf(line.field(index));
    if (code === null) repair(tally, "unknown insurance type");
    line.cell(code);
  };
});

/** Policies that had ended, or had a known end, when the legacy registry stopped; never their successors. */
export const legacyInshist: OfficialFile = {
  dataset: "legacy_inshist",
  title: "legacy InsHist",
  ids: ["6sqe-dvqs", "nzpz-e5xn"],
  header: words(`
    DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE CANCL_METHOD_GEN INS_CANCL_FORM INS_TYPE_IND INS_TYPE_DESC POLICY_NO
    MIN_COV_AMOUNT INS_CLASS_CODE EFFECTIVE_DATE UNDERL_LIM_AMOUNT MAX_COV_AMOUNT CANCL_EFFECTIVE_DATE CANCL_METHOD
    INSER_BRANCH NAME_COMPANY`),
  aliases: {
    MOD_COL_1: "CANCL_METHOD_GEN",
    MOD_COL_2: "INS_TYPE_IND",
    MOD_COL_3: "INS_TYPE_DESC",
    MOD_COL_4: "UNDERL_LIM_AMOUNT",
    MOD_COL_5: "MAX_COV_AMOUNT",
  },
  key: docketKey(),
  fields: {
    docket,
    usdot,
    form_code,
    filing_status: ending,
    type_code: typeCode,
    ...policyNumber,
    effective_on: day("EFFECTIVE_DATE", twoYearsAfterFrozen),
    cancelled_on: day("CANCL_EFFECTIVE_DATE", twoYearsAfterFrozen),
    insurer: shownAs("NAME_COMPANY", "insurer"),
  },
};
