/** What happens in a carrier's life, as far as its authority goes. */
export type Plot =
  | "standing" // authority granted long ago and kept, known from the legacy files alone
  | "suspending" // suspended for lack of insurance again and again, and reinstated
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
/** First suspensions of base carriers lie from so many days before the first day … */
export const SUSPENSION_LEAD_DAYS = 90;
/** … and return in this cycle. */
const SUSPENSION_CYCLE_DAYS = 490;
/** In a small registry they return sooner, so that a few days show every kind of change. */
const SMALL_SUSPENSION_CYCLE_DAYS = 320;
/** Days from the service of a notice to the day it takes effect: exactly these in the real files. */
export const NOTICE_DAYS = 30;
/** Exits of base carriers lie from so many days before the first day … */
export const EXIT_LEAD_DAYS = 60;
/** … within this span. */
export const EXIT_SPAN_DAYS = 300;

/**
 * Share of the census rows that follow each plot: the registry's own proportion, the number of carriers that a small
 * registry needs all the same for each feed to have rows, and the most it may take of a tiny one.
 */
const SHARES: ReadonlyArray<readonly [Plot, number, number, number]> = [
  ["standing", 0.05, 150, 0.1],
  ["suspending", 0.0075, 420, 0.15],
  ["leaving", 0.001, 270, 0.09],
  ["carried", 0.022, 72, 0.03],
  ["broker", 0.0058, 90, 0.05],
  ["forwarder", 0.0012, 20, 0.02],
];
/** Companies with a docket, of all in the census: 0.42 legacy rows, 1.11 dockets per company. */
const DOCKETED_SHARE = 0.378;
const SECOND_DOCKET_SHARE = 0.11;

/** How often things occur in a registry of a given size. */
export interface Shares {
  /** Upper ends of the plots' ranges between 0 and 1, in order; what lies above the last has no docket. */
  plots: ReadonlyArray<{ plot: Plot; upTo: number; share: number }>;
  registrationsPerDay: number;
  suspensionCycleDays: number;
  /** Mean number of policies that followed each other while an authority was held, as far as the legacy history goes. */
  policiesEnded: number;
  /** Chance that the end of a policy stands in the legacy history: a small registry leaves some out to stay quick. */
  endingsOnRecord: number;
  /** Chance that something happens to a policy on its day of the year. */
  renewal: number;
  /** Chance per carrier and day of a census edit, and of leaving the census. */
  edit: number;
  gone: number;
  secondDocket: number;
  agents: number;
  /** Companies that Motus holds, about, as a share of the census. */
  inMotus: number;
  /** Chance that an ending of before the cut-over was brought over into Motus. */
  endingsCarried: number;
  /** The same chance of a proceeding of the legacy registry. */
  noticesCarried: number;
  /** Companies with rows that lack a required id in each Motus file. */
  brokenCompanies: number;
  /** Companies among the applicants of day 0 that have no docket number. */
  docketless: number;
  /** One in so many notices to suspended companies has an odd serve date or another order beside it. */
  oddNotices: number;
  /** Whether new holders are served a notice too. */
  noticeToApplicants: boolean;
  /** Chance that a bond is replaced by a trust fund, or the reverse, where security is replaced at all. */
  securitySwaps: number;
  /** Chance that a policy that pays in excess was brought over: in a small registry some stay when the primary one goes. */
  excessCarried: number;
  /** Companies with values that no list of codes has; none in a small registry, whose files they would be too much of. */
  unknownCompanies: number;
  /** How many of them have an order of an unknown type: the file of orders is the smallest. */
  unknownOrders: number;
  /** Companies whose rows are taken back as a mistake on one day. */
  mistakesAtOnce: number;
  /** Companies of the base that follow a plot, about. */
  companiesOf(plot: Plot): number;
  /** The chance of an oddity that really has chance `real`, among rows that are `rowShare` of the census. */
  oddity(real: number, rowShare: number): number;
}

/** Chance that a company edits its census row on a day, in the real registry. */
const DAILY_EDITS = 0.0017;

/** Works the shares out for `carriers` census rows, of which `dailyEdits` (a share) change each day. */
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
    gone: Math.max(0.00005, Math.min(0.4 / carriers, 0.001)),
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
    unknownCompanies: carriers < 5000 ? 0 : Math.max(2, Math.floor(carriers / 85_000)),
    unknownOrders: carriers < 50_000 ? 1 : Math.floor(carriers / 85_000),
    mistakesAtOnce: carriers < 2000 ? 0 : Math.max(1, Math.floor(carriers / 60_000)),
    companiesOf: (plot) => Math.max(1, Math.round(shareOf(plot) * carriers)),
    oddity: (real, rowShare) => Math.max(real, Math.min(14 / (carriers * rowShare), 0.1)),
  };
}
