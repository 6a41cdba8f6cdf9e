// Companies whose policies were renewed, replaced or cancelled.
import { BROKER, type Company, filed, held, PROPERTY } from "./registry-files.ts";

const insur = (usdot: number, policy: string): string => `MC${usdot},${usdot},BMC-91X,1,P,750000,0,${policy}`;
const ended = (
  usdot: number,
  status: string,
  policy: string,
  from: string,
  to: string,
  insurer: string,
): string =>
  `MC${usdot},${usdot},BMC-91X,${status},1,,${policy},BIPD,750000,P,${from},0,750000,${to},${insurer}`;

export const INSURANCE_COMPANIES: readonly Company[] = [
  {
    shows: "no renewal by the insurer that it had, however its name is written",
    usdot: 811,
    days: [
      {
        census: [filed(811)],
        motus_carrier: [held("MC811", 811)],
        motus_insur: [insur(811, "A3,20260301,FIRST MUTUAL CO,20260225")],
        motus_inshist: [
          ended(811, "REPLACED", "A1", "20240301", "20250301", "FIRST MUTUAL CO"),
          ended(811, "REPLACED", "A2", "20250301", "20260301", "First Mutual Co."),
        ],
      },
    ],
    timeline: [
      "2024-03-01 insurance policy_filed MC811, effective_on=2024-03-01 ended_on=2025-03-01 insurer=FIRST MUTUAL CO insurance_type=bipd [motus_inshist]",
    ],
  },
  {
    shows: "another insurer's policy in the place of the one before, seen on the second day",
    usdot: 812,
    days: [
      {
        census: [filed(812)],
        motus_carrier: [held("MC812", 812)],
        motus_insur: [insur(812, "B1,20251118,FIRST MUTUAL CO,20251110")],
      },
      {
        motus_insur: [insur(812, "B2,20261118,SECOND MUTUAL CO,20261117")],
        motus_inshist: [ended(812, "REPLACED", "B1", "20251118", "20261118", "FIRST MUTUAL CO")],
      },
    ],
    timeline: [
      "2025-11-18 insurance policy_filed MC812, effective_on=2025-11-18 ended_on=2026-11-18 insurer=FIRST MUTUAL CO insurance_type=bipd [motus_inshist]",
      "2026-11-17 (seen 2026-11-18) insurance policy_replaced MC812, effective_on=2026-11-18 insurer=SECOND MUTUAL CO previous_insurer=FIRST MUTUAL CO insurance_type=bipd [motus_insur]",
    ],
  },
  {
    shows: "a cancellation that was announced on the second day and is no longer in the file on the third",
    usdot: 813,
    days: [
      {
        census: [filed(813)],
        motus_carrier: [held("MC813", 813)],
        motus_insur: [insur(813, "C1,20260101,FIRST MUTUAL CO,20251220")],
      },
      { motus_inshist: [ended(813, "CANCEL", "C1", "20260101", "20261219", "FIRST MUTUAL CO")] },
      { motus_inshist: [] },
    ],
    timeline: [
      "2025-12-20 insurance policy_filed MC813, effective_on=2026-01-01 insurer=FIRST MUTUAL CO insurance_type=bipd [motus_insur]",
      '2026-12-19 (seen 2026-11-18) insurance changed MC813, policy_end: null > {"insurer":"FIRST MUTUAL CO","policy_no":"C1","cancelled_on":"2026-12-19","filing_status":"CANCEL"} [motus_inshist]',
      'no day (seen 2026-11-19) insurance changed MC813, policy_end: {"insurer":"FIRST MUTUAL CO","policy_no":"C1","cancelled_on":"2026-12-19","filing_status":"CANCEL"} > null [motus_inshist]',
    ],
  },
  {
    shows: "a cancellation that is announced and stays",
    usdot: 814,
    days: [
      {
        census: [filed(814)],
        motus_carrier: [held("MC814", 814)],
        motus_insur: [insur(814, "D1,20260101,FIRST MUTUAL CO,20251220")],
      },
      { motus_inshist: [ended(814, "CANCEL", "D1", "20260101", "20261220", "FIRST MUTUAL CO")] },
    ],
    timeline: [
      "2025-12-20 insurance policy_filed MC814, effective_on=2026-01-01 ended_on=2026-12-20 insurer=FIRST MUTUAL CO insurance_type=bipd [motus_insur]",
      "2026-12-20 (seen 2026-11-18) insurance policy_cancelled MC814, effective_on=2026-01-01 ended_on=2026-12-20 insurer=FIRST MUTUAL CO insurance_type=bipd [motus_insur]",
    ],
  },
  {
    shows: "a broker's bond that was cancelled, then a trust fund, and less cover than before",
    usdot: 815,
    days: [
      {
        census: [filed(815)],
        motus_carrier: [held("MC815", 815, BROKER), held("MC815", 815, PROPERTY, { BIPD_FILE: "700000" })],
        motus_insur: ["MC815,815,BMC-85,4,P,75000,0,E2,20260710,TRUST COMPANY OF OHIO,20260710"],
        motus_inshist: [
          "MC815,815,BMC-84,CANCEL,3,,E1,BOND,75000,P,20200110,0,75000,20260701,SURETY OF TEXAS",
        ],
      },
      {
        motus_carrier: [held("MC815", 815, BROKER), held("MC815", 815, PROPERTY, { BIPD_FILE: "300000" })],
      },
    ],
    timeline: [
      "2020-01-10 insurance policy_filed MC815, effective_on=2020-01-10 ended_on=2026-07-01 insurer=SURETY OF TEXAS insurance_type=security [motus_inshist]",
      "2026-07-01 insurance policy_cancelled MC815, effective_on=2020-01-10 ended_on=2026-07-01 insurer=SURETY OF TEXAS insurance_type=security [motus_inshist]",
      "2026-07-10 insurance policy_filed MC815, effective_on=2026-07-10 insurer=TRUST COMPANY OF OHIO insurance_type=security [motus_insur]",
      "no day (seen 2026-11-18) insurance changed MC815 carrier_property, insurance_on_file: 700000 > 300000 [motus_carrier]",
    ],
  },
];
