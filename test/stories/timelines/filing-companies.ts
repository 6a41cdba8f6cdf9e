// Companies that filed something else, were put out of service, or got or lost something in common with another.
import { type Company, filed, held } from "./registry-files.ts";

const RATED = { SAFETY_RATING: "C", SAFETY_RATING_DATE: "20261112" };

export const FILING_COMPANIES: readonly Company[] = [
  {
    shows: "an out-of-service order of the second day that is rescinded on the third, as one entry",
    usdot: 821,
    days: [
      { census: [filed(821)], motus_carrier: [held("MC821", 821)] },
      { oos_order: ["821,COMPANY 821 LLC,,20261117,UNSATISFACTORY,ACTIVE,"] },
      { oos_order: ["821,COMPANY 821 LLC,,20261117,UNSATISFACTORY,ACTIVE,20261119"] },
    ],
    timeline: [
      "2026-11-17 (seen 2026-11-18) out_of_service placed_out_of_service, words=UNSATISFACTORY ended_on=2026-11-19 [oos_order]",
    ],
  },
  {
    shows: "another phone, which it filed the day before",
    usdot: 822,
    days: [
      { census: [filed(822)], motus_carrier: [held("MC822", 822)] },
      { census: [filed(822, { PHONE: "5125551822", MCS150_DATE: "20261117 0930" })] },
    ],
    timeline: [
      "2026-11-17 (seen 2026-11-18) contact changed, phone: 5125550822 > 5125551822 [census]",
      "2026-11-17 (seen 2026-11-18) census changed, mcs150_date: 2025-03-04 > 2026-11-17 [census]",
    ],
  },
  {
    shows: "another address, without a day of its own",
    usdot: 823,
    days: [
      { census: [filed(823)], motus_carrier: [held("MC823", 823)] },
      { census: [filed(823, { PHY_STREET: "12 NEW ST", PHY_CITY: "WACO", PHY_ZIP: "76701" })] },
    ],
    timeline: [
      "no day (seen 2026-11-18) address changed, street: 823 OWN RD > 12 NEW ST [census]",
      "no day (seen 2026-11-18) address changed, city: AUSTIN > WACO [census]",
      "no day (seen 2026-11-18) address changed, zip: 78701 > 76701 [census]",
    ],
  },
  {
    shows: "another name, and none for a name that is only written in another way",
    usdot: 824,
    days: [
      { census: [filed(824, { DBA_NAME: "FAST-FREIGHT" })], motus_carrier: [held("MC824", 824)] },
      { census: [filed(824, { DBA_NAME: "Fast Freight" })] },
      { census: [filed(824, { DBA_NAME: "Fast Freight", LEGAL_NAME: "RENAMED FREIGHT LLC" })] },
    ],
    timeline: [
      "no day (seen 2026-11-19) name changed, legal_name: COMPANY 824 LLC > RENAMED FREIGHT LLC [census]",
    ],
  },
  {
    shows: "a safety rating, more trucks and other cargo",
    usdot: 825,
    days: [
      { census: [filed(825)], motus_carrier: [held("MC825", 825)] },
      { census: [filed(825, { ...RATED, POWER_UNITS: "5", CRGO_PRODUCE: "X" })] },
    ],
    timeline: [
      "no day (seen 2026-11-18) census changed, safety_rating: null > conditional [census]",
      "no day (seen 2026-11-18) census changed, safety_rating_date: null > 2026-11-12 [census]",
      "no day (seen 2026-11-18) fleet changed, power_units: 3 > 5 [census]",
      "no day (seen 2026-11-18) census changed, cargo: general_freight > general_freight;produce [census]",
    ],
  },
  {
    shows: "a natural person's phone, and nothing that the person has in common with a company",
    usdot: 826,
    days: [
      {
        census: [filed(826, { LEGAL_NAME: "JANE SAMPLE", BUSINESS_ORG_DESC: "INDIVIDUAL" })],
        motus_carrier: [held("MC826", 826)],
      },
      {
        census: [
          filed(826, { LEGAL_NAME: "JANE SAMPLE", BUSINESS_ORG_DESC: "INDIVIDUAL", PHONE: "5125550829" }),
        ],
      },
    ],
    timeline: ["no day (seen 2026-11-18) contact changed, phone: 5125550826 > 5125550829 [census]"],
  },
  {
    shows: "a connection that began when it took over another company's phone, and ended when it gave it up",
    usdot: 827,
    days: [
      { census: [filed(827)], motus_carrier: [held("MC827", 827)] },
      { census: [filed(827, { PHONE: "5125550828" })] },
      { census: [filed(827)] },
    ],
    timeline: [
      "no day (seen 2026-11-18) contact changed, phone: 5125550827 > 5125550828 [census]",
      "no day (seen 2026-11-18) connection changed, phone: null > now [census]",
      "no day (seen 2026-11-19) contact changed, phone: 5125550828 > 5125550827 [census]",
      "no day (seen 2026-11-19) connection changed, phone: now > earlier [census]",
    ],
  },
  {
    shows: "the same connection from the side of the company that filed nothing",
    usdot: 828,
    days: [{ census: [filed(828)], motus_carrier: [held("MC828", 828)] }],
    timeline: [
      "no day (seen 2026-11-18) connection changed, phone: null > now [census]",
      "no day (seen 2026-11-19) connection changed, phone: now > earlier [census]",
    ],
  },
  {
    shows: "nothing of the person who took over its phone",
    usdot: 829,
    days: [{ census: [filed(829)], motus_carrier: [held("MC829", 829)] }],
    timeline: [],
  },
];
