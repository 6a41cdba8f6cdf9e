// Companies whose authorities were granted, suspended, revoked, reinstated or moved.
import { BROKER, type Company, filed, held, PROPERTY, SUSPENSION } from "./registry-files.ts";

/** The files do not tell on which day a docket moved. */
const MOVED = [
  'no day (seen 2026-11-18) authority changed MC807 carrier_property, holder: {"usdot":807,"status":"active"} > {"usdot":808,"status":"active"} [motus_carrier]',
  "no day (seen 2026-11-18) connection changed, docket_moved: null > earlier [motus_carrier]",
];

export const AUTHORITY_COMPANIES: readonly Company[] = [
  {
    shows: "one grant that both registries have, and the application for it",
    usdot: 801,
    days: [
      {
        census: [filed(801)],
        motus_carrier: [held("MC801", 801)],
        motus_authhist: [
          `MC801,801,${PROPERTY},Pending,Published to FMCSA Register,20260120`,
          `MC801,801,${PROPERTY},Active,Granted,20260225`,
        ],
        legacy_authhist: ["MC801,00000801,,COMMON,GRANTED,02/25/2026,,,"],
      },
    ],
    timeline: [
      "2026-01-20 authority applied MC801 carrier_property, words=pending: Published to FMCSA Register [motus_authhist]",
      "2026-02-25 authority granted MC801 carrier_property, words=active: Granted [motus_authhist]",
    ],
  },
  {
    shows: "a suspension that was ordered on the second day and discontinued on the third, as one entry",
    usdot: 802,
    days: [
      {
        census: [filed(802)],
        motus_carrier: [held("MC802", 802)],
        motus_authhist: [`MC802,802,${PROPERTY},Active,Granted,20200225`],
      },
      { motus_revokesuspend: [`MC802,802,${PROPERTY},20261118,${SUSPENSION},20261218`] },
      {
        motus_authhist: [
          `MC802,802,${PROPERTY},Active,Granted,20200225`,
          `MC802,802,${PROPERTY},Active,Discontinued Revocation,20261119`,
        ],
      },
    ],
    timeline: [
      "2020-02-25 authority granted MC802 carrier_property, words=active: Granted [motus_authhist]",
      `2026-11-18 (seen 2026-11-18) order order_discontinued MC802 carrier_property, words=${SUSPENSION} served_on=2026-11-18 effective_on=2026-12-18 ended_on=2026-11-19 [motus_revokesuspend]`,
    ],
  },
  {
    shows: "an order that took effect, and the reinstatement that was seen a day late",
    usdot: 803,
    days: [
      {
        census: [filed(803)],
        motus_carrier: [held("MC803", 803, PROPERTY, { OP_AUTH_STATUS: "Inactive" })],
        motus_authhist: [
          `MC803,803,${PROPERTY},Active,Granted,20210301`,
          `MC803,803,${PROPERTY},Inactive,Involuntary Suspension - Insurance,20261020`,
        ],
        motus_revokesuspend: [`MC803,803,${PROPERTY},20260918,${SUSPENSION},20261020`],
      },
      {
        motus_carrier: [held("MC803", 803)],
        motus_authhist: [
          `MC803,803,${PROPERTY},Active,Granted,20210301`,
          `MC803,803,${PROPERTY},Inactive,Involuntary Suspension - Insurance,20261020`,
          `MC803,803,${PROPERTY},Active,Reinstated,20261117`,
        ],
      },
    ],
    timeline: [
      "2021-03-01 authority granted MC803 carrier_property, words=active: Granted [motus_authhist]",
      `2026-09-18 order order_served MC803 carrier_property, words=${SUSPENSION} served_on=2026-09-18 effective_on=2026-10-20 [motus_revokesuspend]`,
      "2026-10-20 authority suspended MC803 carrier_property, words=inactive: Involuntary Suspension - Insurance [motus_authhist]",
      "2026-11-17 (seen 2026-11-18) authority reinstated MC803 carrier_property, words=active: Reinstated [motus_authhist]",
    ],
  },
  {
    shows: "a carrier's authority that was revoked and reinstated, beside a broker's that the owner withdrew",
    usdot: 804,
    days: [
      {
        census: [filed(804)],
        motus_carrier: [held("MC804", 804), held("MC804", 804, BROKER, { OP_AUTH_STATUS: "Withdrawn" })],
        motus_authhist: [
          `MC804,804,${PROPERTY},Active,Granted,20150610`,
          `MC804,804,${PROPERTY},Inactive,Revoked,20180911`,
          `MC804,804,${PROPERTY},Active,Reinstated,20181002`,
          `MC804,804,${BROKER},Active,Granted,20150610`,
          `MC804,804,${BROKER},Withdrawn,Voluntary,20220105`,
          // A repair of the registry's own data, and what it knew when it began: neither is a move.
          `MC804,804,${PROPERTY},Active,Corrected by ticket #220,20260601`,
          `MC804,804,${PROPERTY},Active,Initial Status,20150601`,
        ],
      },
    ],
    timeline: [
      "2015-06-10 authority granted MC804 broker, words=active: Granted [motus_authhist]",
      "2015-06-10 authority granted MC804 carrier_property, words=active: Granted [motus_authhist]",
      "2018-09-11 authority revoked MC804 carrier_property, words=inactive: Revoked [motus_authhist]",
      "2018-10-02 authority reinstated MC804 carrier_property, words=active: Reinstated [motus_authhist]",
      "2022-01-05 authority withdrawn MC804 broker, words=withdrawn: Voluntary [motus_authhist]",
    ],
  },
  {
    shows: "what the legacy registry alone has: a grant, a proceeding that it writes as an order too, an end",
    usdot: 805,
    days: [
      {
        census: [filed(805)],
        motus_carrier: [held("MC805", 805)],
        legacy_authhist: [
          "MC805,00000805,,MOTOR PROPERTY CONTRACT CARRIER,GRANTED,08/31/2010,REVOKED,03/07/2014,03/07/2014",
          "MC805,00000805,,MOTOR PROPERTY COMMON CARRIER,REINSTATED,05/02/2014,,,",
          "MC805,00000805,,COMMON,INVOLUNTARY REVOCATION,06/12/2019,DISCONTINUED REVOCATION,07/01/2019,07/01/2019",
        ],
        legacy_revocation: [
          "MC805,00000805,COMMON,06/12/2019,INVOLUNTARY REVOCATION,07/17/2019",
          "MC805,00000805,CONTRACT,02/03/2014,INVOLUNTARY REVOCATION,03/07/2014",
        ],
      },
    ],
    timeline: [
      "2010-08-31 authority granted MC805 carrier_property, words=GRANTED [legacy_authhist]",
      "2014-02-03 order order_served MC805, words=INVOLUNTARY REVOCATION served_on=2014-02-03 effective_on=2014-03-07 [legacy_revocation]",
      "2014-03-07 authority ended MC805 carrier_property, words=REVOKED [legacy_authhist]",
      "2014-05-02 authority reinstated MC805 carrier_property, words=REINSTATED [legacy_authhist]",
      "2019-06-12 order order_discontinued MC805 carrier, words=INVOLUNTARY REVOCATION served_on=2019-06-12 effective_on=2019-07-17 ended_on=2019-07-01 [legacy_authhist]",
    ],
  },
  {
    shows: "an authority without a docket",
    usdot: 806,
    days: [
      {
        census: [filed(806)],
        motus_carrier: [held("", 806)],
        motus_authhist: [`,806,${PROPERTY},Active,Granted,20260811`],
      },
      { motus_revokesuspend: [`,806,${PROPERTY},20261117,${SUSPENSION},20261217`] },
    ],
    timeline: [
      "2026-08-11 authority granted carrier_property, words=active: Granted [motus_authhist]",
      `2026-11-17 (seen 2026-11-18) order order_served carrier_property, words=${SUSPENSION} served_on=2026-11-17 effective_on=2026-12-17 [motus_revokesuspend]`,
    ],
  },
  {
    shows: "a docket that another company takes over on the second day",
    usdot: 807,
    days: [
      {
        census: [filed(807)],
        motus_carrier: [held("MC807", 807), held("MC8071", 807, BROKER)],
        motus_authhist: [
          `MC807,807,${PROPERTY},Active,Granted,20120402`,
          `MC8071,807,${BROKER},Active,Granted,20130506`,
        ],
      },
      { motus_carrier: [held("MC8071", 807, BROKER)] },
    ],
    timeline: [
      "2012-04-02 authority granted MC807 carrier_property, words=active: Granted [motus_authhist]",
      "2013-05-06 authority granted MC8071 broker, words=active: Granted [motus_authhist]",
      ...MOVED,
    ],
  },
  {
    shows: "the docket that it took over; what the other company did with it is not told of it",
    usdot: 808,
    days: [
      {
        census: [filed(808)],
        motus_carrier: [held("MC8081", 808, BROKER)],
        motus_authhist: [`MC8081,808,${BROKER},Active,Granted,20260714`],
      },
      { motus_carrier: [held("MC8081", 808, BROKER), held("MC807", 808)] },
    ],
    timeline: [
      "2026-07-14 authority granted MC8081 broker, words=active: Granted [motus_authhist]",
      ...MOVED,
    ],
  },
  {
    shows: "a docket that no file names for a day, before another company has it",
    usdot: 831,
    days: [
      {
        census: [filed(831)],
        motus_carrier: [held("MC831", 831), held("MC8311", 831, BROKER)],
        motus_authhist: [`MC8311,831,${BROKER},Active,Granted,20130506`],
      },
      { motus_carrier: [held("MC8311", 831, BROKER)] },
    ],
    timeline: [
      "2013-05-06 authority granted MC8311 broker, words=active: Granted [motus_authhist]",
      "no day (seen 2026-11-18) authority changed MC831 carrier_property, status: active > null [motus_carrier]",
    ],
  },
  {
    shows: "the docket that it has since then",
    usdot: 832,
    days: [
      {
        census: [filed(832)],
        motus_carrier: [held("MC8321", 832, BROKER)],
        motus_authhist: [`MC8321,832,${BROKER},Active,Granted,20260714`],
      },
      {},
      { motus_carrier: [held("MC8321", 832, BROKER), held("MC831", 832)] },
    ],
    timeline: [
      "2026-07-14 authority granted MC8321 broker, words=active: Granted [motus_authhist]",
      "no day (seen 2026-11-19) authority changed MC831 carrier_property, status: null > active [motus_carrier]",
    ],
  },
  {
    shows: "an order in two rows, one of them without its number, that the registry takes back",
    usdot: 833,
    days: [
      {
        census: [filed(833)],
        motus_carrier: [held("MC833", 833)],
        motus_authhist: [`MC833,833,${PROPERTY},Active,Granted,20200225`],
        motus_revokesuspend: [
          `MC833,833,${PROPERTY},20261105,${SUSPENSION},20261205`,
          `MC833,,${PROPERTY},20261105,${SUSPENSION},20261205`,
        ],
      },
      { motus_revokesuspend: [] },
    ],
    timeline: [
      "2020-02-25 authority granted MC833 carrier_property, words=active: Granted [motus_authhist]",
      `no day (seen 2026-11-18) order changed MC833 carrier_property, order: {"served_on":"2026-11-05","order_type":"${SUSPENSION}","effective_on":"2026-12-05"} > null [motus_revokesuspend]`,
    ],
  },
];
