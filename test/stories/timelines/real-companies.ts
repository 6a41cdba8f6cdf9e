// Three companies with their rows of the real extracts. The census and, of two, the authority are made up, so that a feed
// has them.
import {
  BROKER,
  type Company,
  filed,
  held,
  linesOfSample,
  PROPERTY,
  rowsOfSample,
} from "./registry-files.ts";

const HISTORY = "legacy_authhist_sample.csv";
const MOTUS = "motus_events_sample.json";
const INSURANCE = "legacy_insurance_sample.json";
const UNITED = "MC139446";

export const REAL_COMPANIES: readonly Company[] = [
  {
    shows: "forty years of both registries",
    usdot: 295_017,
    days: [
      {
        census: await linesOfSample("census_company_sample.csv", "UNITED MOVING"),
        motus_carrier: [
          ...(await linesOfSample("motus_carrier_sample.csv", UNITED)),
          held(UNITED, 295_017, PROPERTY),
        ],
        motus_authhist: await rowsOfSample(MOTUS, "authhist_yu5v-wbh6", UNITED),
        motus_insur: await rowsOfSample(MOTUS, "insur_c5y8-a4uz", UNITED),
        legacy_authhist: await linesOfSample(HISTORY, UNITED),
        legacy_insur: await rowsOfSample(INSURANCE, "insur_ypjt-5ydn", UNITED),
        legacy_inshist: await rowsOfSample(INSURANCE, "inshist_6sqe-dvqs", UNITED),
      },
    ],
    timeline: [
      "1986-07-18 authority granted MC139446 carrier_hhg, words=GRANTED [legacy_authhist]",
      "1988-03-01 insurance policy_filed MC139446, effective_on=1988-03-01 ended_on=2003-04-17 insurer=VANLINER INSURANCE COMPANY insurance_type=bipd [legacy_inshist]",
      "1988-03-01 insurance policy_filed MC139446, effective_on=1988-03-01 ended_on=2003-03-01 insurer=THE INSURANCE COMPANY OF NORTH AMERICA insurance_type=cargo [legacy_inshist]",
      "2003-03-01 insurance policy_filed MC139446, effective_on=2003-03-01 ended_on=2018-01-01 insurer=VANLINER INSURANCE COMPANY insurance_type=bipd [legacy_inshist]",
      "2003-03-01 insurance policy_replaced MC139446, effective_on=2003-03-01 ended_on=2007-01-01 insurer=VANLINER INSURANCE COMPANY previous_insurer=THE INSURANCE COMPANY OF NORTH AMERICA insurance_type=cargo [legacy_inshist]",
      // The file says of the policy that it was cancelled, though another one was on file by then.
      "2003-04-17 insurance policy_cancelled MC139446, effective_on=1988-03-01 ended_on=2003-04-17 insurer=VANLINER INSURANCE COMPANY insurance_type=bipd [legacy_inshist]",
      "2005-11-07 order order_discontinued MC139446 carrier, words=INVOLUNTARY REVOCATION served_on=2005-11-07 ended_on=2005-11-29 [legacy_authhist]",
      "2007-01-01 insurance policy_replaced MC139446, effective_on=2007-01-01 ended_on=2008-01-01 insurer=THE AMERICAN INSURANCE CO. previous_insurer=VANLINER INSURANCE COMPANY insurance_type=cargo [legacy_inshist]",
      "2008-01-01 insurance policy_replaced MC139446, effective_on=2008-01-01 ended_on=2018-01-01 insurer=VANLINER INSURANCE COMPANY previous_insurer=THE AMERICAN INSURANCE CO. insurance_type=cargo [legacy_inshist]",
      "2021-06-08 authority ended MC139446 carrier_hhg, words=REVOKED [legacy_authhist]",
      "2021-06-15 authority reinstated MC139446 carrier_hhg, words=active: REINSTATED [motus_authhist]",
    ],
  },
  {
    shows: "a grant that only the legacy registry has",
    usdot: 4_526_880,
    days: [
      {
        census: [filed(4_526_880, { PHONE: "5125551411" })],
        motus_carrier: [held("MC1794414", 4_526_880, BROKER)],
        legacy_authhist: await linesOfSample(HISTORY, "MC1794414"),
      },
    ],
    timeline: ["2026-02-25 authority granted MC1794414 broker, words=GRANTED [legacy_authhist]"],
  },
  {
    shows: "orders that the file does not date, or dates after they took effect",
    usdot: 1_001_665,
    days: [
      {
        census: [filed(1_001_665, { PHONE: "5125551379" })],
        motus_carrier: [held("MC438379", 1_001_665)],
        legacy_revocation: await linesOfSample("legacy_revocation_daily_2024-08-06.txt", '"MC438379"'),
      },
    ],
    timeline: [
      "no day order order_served MC438379, words=VOLUNTARY REVOCATION [legacy_revocation]",
      "2003-12-11 order order_served MC438379, words=INVOLUNTARY REVOCATION served_on=2003-12-11 effective_on=2003-11-16 [legacy_revocation]",
      "2013-08-12 order order_served MC438379, words=INVOLUNTARY REVOCATION served_on=2013-08-12 effective_on=2013-09-16 [legacy_revocation]",
      "2024-06-26 order order_served MC438379, words=INVOLUNTARY REVOCATION served_on=2024-06-26 effective_on=2024-07-26 [legacy_revocation]",
    ],
  },
];
