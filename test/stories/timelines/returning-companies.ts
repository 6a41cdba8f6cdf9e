// Companies and authorities that came back as they were: no day of the registry tells of it.
import { type Company, filed, held, PROPERTY } from "./registry-files.ts";

export const RETURNING_COMPANIES: readonly Company[] = [
  {
    shows: "that it was inactive for one day, not that it became active on the day of its grant",
    usdot: 834,
    days: [
      {
        census: [filed(834)],
        motus_carrier: [held("MC834", 834)],
        motus_authhist: [`MC834,834,${PROPERTY},Active,Granted,20200225`],
      },
      { motus_carrier: [held("MC834", 834, PROPERTY, { OP_AUTH_STATUS: "Inactive" })] },
      { motus_carrier: [held("MC834", 834)] },
    ],
    timeline: [
      "2020-02-25 authority granted MC834 carrier_property, words=active: Granted [motus_authhist]",
      "no day (seen 2026-11-18) authority changed MC834 carrier_property, status: active > inactive [motus_carrier]",
      "no day (seen 2026-11-19) authority changed MC834 carrier_property, status: inactive > active [motus_carrier]",
    ],
  },
  {
    shows: "an authority that the files lacked for one day with its history",
    usdot: 835,
    days: [
      {
        census: [filed(835)],
        motus_carrier: [held("MC835", 835)],
        motus_authhist: [`MC835,835,${PROPERTY},Active,Granted,20200225`],
      },
      { motus_carrier: [], motus_authhist: [] },
      {
        motus_carrier: [held("MC835", 835)],
        motus_authhist: [`MC835,835,${PROPERTY},Active,Granted,20200225`],
      },
    ],
    timeline: [
      "2020-02-25 (seen 2026-11-19) authority granted MC835 carrier_property, words=active: Granted [motus_authhist]",
      'no day (seen 2026-11-18) authority changed MC835 carrier_property, status_change: {"reason":"Granted","status":"active","changed_on":"2020-02-25"} > null [motus_authhist]',
      "no day (seen 2026-11-18) authority changed MC835 carrier_property, status: active > null [motus_carrier]",
      "no day (seen 2026-11-19) authority changed MC835 carrier_property, status: null > active [motus_carrier]",
    ],
  },
  {
    shows: "that the census lacked it for one day, not that it came back on the day of its old filing",
    usdot: 836,
    days: [
      {
        census: [filed(836)],
        motus_carrier: [held("MC836", 836)],
        motus_authhist: [`MC836,836,${PROPERTY},Active,Granted,20200225`],
      },
      { census: [] },
      { census: [filed(836)] },
    ],
    timeline: [
      "2020-02-25 authority granted MC836 carrier_property, words=active: Granted [motus_authhist]",
      "no day (seen 2026-11-18) census changed, usdot_status: A > null [census]",
      "no day (seen 2026-11-19) census changed, usdot_status: null > A [census]",
    ],
  },
];
