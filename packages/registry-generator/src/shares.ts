/** The plot of a carrier's authority. */
export type Plot =
  | "settled" // authority granted long ago and kept, only in the legacy files
  | "suspending" // repeatedly suspended for lack of insurance and reinstated
  | "leaving" // gives its authority up, or loses it
  | "applicant" // applies now and is granted three weeks later
  | "carried" // active, and carried over into Motus for some change of name or address
  | "broker"
  | "forwarder"
  | "lapsed" // lost its authority before the cut-over
  | "never" // applied long ago and was never granted
  | "none"; // has no docket: private or intrastate business

/** Days from an application to its grant: publication, protest period, insurance filing. */
export const GRANT_DELAY_DAYS = 21;
/** Base applicants applied within this time before the first day. */
export const APPLICANT_WINDOW_DAYS = 70;
/** First suspensions of base carriers are from this many days before the first day … */
export const SUSPENSION_LEAD_DAYS = 90;
/** … and recur in this cycle. */
const SUSPENSION_CYCLE_DAYS = 490;
/** In a small registry they recur sooner, so that a few days show every kind of change. */
const SMALL_SUSPENSION_CYCLE_DAYS = 320;
/** Days from the service of a notice to the day it takes effect: exactly these in the real files. */
export const NOTICE_DAYS = 30;
/** Exits of base carriers are from this many days before the first day … */
export const EXIT_LEAD_DAYS = 60;
/** … within this span. */
export const EXIT_SPAN_DAYS = 300;

/**
 * Share of the census rows that follow each plot: the real registry's share, the least number of carriers so that each feed
 * of a small registry has rows, and the largest share in a tiny one.
 */
const SHARES: ReadonlyArray<readonly [Plot, number, number, number]> = [
  ["settled", 0.05, 150, 0.1],
  ["suspending", 0.0075, 420, 0.15],
  ["leaving", 0.001, 270, 0.09],
  ["carried", 0.022, 72, 0.03],
  ["broker", 0.0058, 90, 0.05],
  ["forwarder", 0.0012, 20, 0.02],
];
/** Companies with a docket, of all in the census: 0.42 legacy rows, 1.11 dockets per company. */
const DOCKETED_SHARE = 0.378;
const SECOND_DOCKET_SHARE = 0.11;

/** Frequencies in a registry of a given size. */
export interface Shares {
  /** Upper bounds of the plots' ranges between 0 and 1, in order; above the last one carriers have no docket. */
  plots: ReadonlyArray<{ plot: Plot; upTo: number; share: number }>;
  registrationsPerDay: number;
  suspensionCycleDays: number;
  /** Mean number of successive policies of an authority in the legacy history. */
  policiesEnded: number;
  /** Chance that the end of a policy is in the legacy history: a small registry leaves some out to be fast. */
  endingsOnRecord: number;
  /** Chance that a policy changes on its day of the year. */
  renewal: number;
  /** Chance per carrier and day of a census edit, and of removal from the census. */
  edit: number;
  censusRemoval: number;
  secondDocket: number;
  agents: number;
  /** Approximate share of the census companies that are in Motus. */
  inMotus: number;
  /** Chance that an end before the cut-over was carried over into Motus. */
  endingsCarried: number;
  /** The same chance of a proceeding of the legacy registry. */
  noticesCarried: number;
  /** Companies with rows that lack a required id in each Motus file. */
  brokenCompanies: number;
  /** Companies among the applicants of day 0 that have no docket number. */
  docketless: number;
  /** One in this many notices to suspended companies has an odd serve date or a second order. */
  oddNotices: number;
  /** Whether companies with a new authority are served a notice too. */
  noticeToApplicants: boolean;
  /** Chance that a replaced bond becomes a trust fund, or the reverse. */
  securitySwaps: number;
  /** Chance that an excess policy was carried over: in a small registry some stay when the primary one ends. */
  excessCarried: number;
  /** Companies with values that are in no list of codes; none in a small registry, where their share would be too large. */
  unknownCompanies: number;
  /** How many of them have an order of an unknown type: the file of orders is the smallest. */
  unknownOrders: number;
  /** Companies whose rows are deleted as a mistake on one day. */
  mistakesAtOnce: number;
  /** Approximate number of base companies that follow a plot. */
  companiesOf(plot: Plot): number;
  /** Chance of an oddity whose real chance is `real`, in rows that are `rowShare` of the census. */
  oddity(real: number, rowShare: number): number;
}

/** An import refuses a file with a few more rows of unknown values than this, however large the file. */
const MOST_UNKNOWN = 20;

/** Chance that a company edits its census row on a day, in the real registry. */
const DAILY_EDITS = 0.0017;

/** Computes the shares for `carriers` census rows, of which `dailyEdits` (a share) change each day. */
export function sharesOf(carriers: number, dailyEdits = DAILY_EDITS): Shares {
  const registrationsPerDay = Math.max(
    1,
    Math.round(Math.min(Math.max(carriers * 0.00003, 2), carriers * 0.01)),
  );
  const active = SHARES.map(([plot, share, count, most]) => ({
    plot,
    share: Math.max(share, Math.min(count / carriers, most)),
  }));
  const activeShare = active.reduce((sum, { share }) => sum + share, 0);
  const rest = Math.max(0.06, DOCKETED_SHARE - activeShare);
  const all = [
    ...active,
    { plot: "lapsed" as const, share: rest * 0.62 },
    { plot: "never" as const, share: rest * 0.38 },
    {
      plot: "applicant" as const,
      share: Math.min((registrationsPerDay * APPLICANT_WINDOW_DAYS) / carriers, 0.3),
    },
  ];
  let upTo = 0;
  const plots = all.map(({ plot, share }) => {
    upTo += share;
    return { plot, upTo, share };
  });
  const shareOf = (wanted: Plot) => all.find(({ plot }) => plot === wanted)?.share ?? 0;
  return {
    plots,
    registrationsPerDay,
    suspensionCycleDays: carriers < 50_000 ? SMALL_SUSPENSION_CYCLE_DAYS : SUSPENSION_CYCLE_DAYS,
    policiesEnded: carriers < 50_000 ? 0.1 : 4.2,
    endingsOnRecord: carriers < 50_000 ? 0.7 : 1,
    renewal: carriers < 50_000 ? 1 : 0.35,
    inMotus: shareOf("applicant") + shareOf("carried") + 0.2 * (shareOf("suspending") + shareOf("leaving")),
    edit: dailyEdits,
    censusRemoval: Math.max(0.00005, Math.min(0.4 / carriers, 0.001)),
    secondDocket: SECOND_DOCKET_SHARE,
    agents: Math.max(2, Math.min(90, Math.round((carriers * 0.012) / 40))),
    endingsCarried: carriers < 50_000 ? 0.35 : 0.015,
    noticesCarried: carriers < 50_000 ? 0.1 : 0.01,
    brokenCompanies: Math.min(5, Math.ceil(carriers / 1000)),
    docketless: carriers < 300 ? 0 : Math.min(6, Math.ceil(carriers / 500)),
    oddNotices: Math.max(8, Math.floor(carriers / 6000)),
    noticeToApplicants: carriers < 3000,
    securitySwaps: carriers < 50_000 ? 0.3 : 0.05,
    excessCarried: carriers < 50_000 ? 0.7 : 0.12,
    unknownCompanies:
      carriers < 5000 ? 0 : Math.min(MOST_UNKNOWN, Math.max(2, Math.floor(carriers / 85_000))),
    unknownOrders: carriers < 50_000 ? 1 : Math.min(MOST_UNKNOWN / 4, Math.floor(carriers / 85_000)),
    mistakesAtOnce: carriers < 2000 ? 0 : Math.max(1, Math.floor(carriers / 60_000)),
    companiesOf: (plot) => Math.max(1, Math.round(shareOf(plot) * carriers)),
    oddity: (real, rowShare) => Math.max(real, Math.min(14 / (carriers * rowShare), 0.1)),
  };
}
