// Whether a company may haul or arrange transport now, by the registry's files. What they do not say never leads to "yes".
import { dayNumber } from "../../platform/clock.ts";
import { type AuthorityClass, FREIGHT_CARRIERS, INTERMEDIARIES } from "../../registry/authority-classes.ts";
import { FRESHNESS_DAYS } from "../../registry/freshness.ts";
import type { AuthorityFacts, CompanyFacts, InsuranceType, OrderKind } from "./facts.ts";

/** Carriers haul. Brokers and freight forwarders arrange that others do. */
export type Role = "haul" | "arrange";

export interface Answer {
  role: Role;
  /** The classes that it is about; empty: every class of the role. */
  classes: readonly AuthorityClass[];
  outcome: Outcome;
}

export type Outcome =
  /** `limit` ends it on a day that is announced. */
  { may: "yes"; limit: Limit | null } | { may: "no"; because: Obstacle } | { may: "not known"; missing: Gap };

export type Limit =
  | { code: "order"; kind: OrderKind; on: string }
  | { code: "cancellation"; insuranceType: InsuranceType; on: string };

/** Why not. Of several, the one listed first is told. */
export type Obstacle =
  | { code: "out_of_service"; since: string | null }
  | { code: "usdot_not_active" }
  | { code: "insurance_too_low"; required: number; onFile: number }
  | { code: "bond_missing" }
  | { code: "cargo_missing" }
  | { code: "suspended" | "revoked" | "withdrawn"; since: string }
  | { code: "applied_for" }
  | { code: "not_active" };

const OBSTACLES: readonly Obstacle["code"][] = [
  "out_of_service",
  "usdot_not_active",
  "insurance_too_low",
  "bond_missing",
  "cargo_missing",
  "suspended",
  "revoked",
  "withdrawn",
  "applied_for",
  "not_active",
];

/** What is missing for an answer. */
export type Gap =
  | { code: "files_old"; asOf: string }
  | { code: "authority_not_named" }
  | { code: "status_unknown"; status: string }
  | { code: "out_of_service_unknown" }
  | { code: "usdot_unknown" }
  | { code: "order_due"; kind: OrderKind; on: string; asOf: string }
  | { code: "revocation_undated" }
  | { code: "cancellation_due"; insuranceType: InsuranceType; on: string }
  | { code: "cancellation_unknown" }
  | { code: "amount_unknown" }
  | { code: "cargo_unknown" }
  | { code: "bond_unknown" };

/**
 * The answers for each role that the company has an authority of; for hauling if it has none. Classes of a role have one
 * answer unless they differ. `today`: YYYY-MM-DD.
 */
export function mayOperate(
  company: CompanyFacts,
  authorities: readonly AuthorityFacts[],
  today: string,
): Answer[] {
  const answers = [
    ...answersOf("haul", FREIGHT_CARRIERS, company, authorities, today),
    ...answersOf("arrange", INTERMEDIARIES, company, authorities, today),
  ];
  if (answers.length > 0) return answers;
  return [{ role: "haul", classes: [], outcome: { may: "no", because: { code: "not_active" } } }];
}

function answersOf(
  role: Role,
  classes: readonly AuthorityClass[],
  company: CompanyFacts,
  authorities: readonly AuthorityFacts[],
  today: string,
): Answer[] {
  const answers = classes.flatMap((authorityClass) => {
    const own = authorities.filter((authority) => authority.authorityClass === authorityClass);
    const [best] = own.map((authority) => outcomeOn(role, company, authority, today)).toSorted(bestFirst);
    return best === undefined ? [] : [{ role, classes: [authorityClass], outcome: best }];
  });
  const [first] = answers;
  const areAlike = answers.every(({ outcome }) => JSON.stringify(outcome) === JSON.stringify(first?.outcome));
  return first && areAlike ? [{ ...first, classes: [] }] : answers;
}

function outcomeOn(role: Role, company: CompanyFacts, authority: AuthorityFacts, today: string): Outcome {
  // Old files also tell nothing of what has ended since.
  if (dayNumber(today) - dayNumber(company.asOf) > FRESHNESS_DAYS) {
    return { may: "not known", missing: { code: "files_old", asOf: company.asOf } };
  }
  const because = obstacleOf(role, company, authority);
  if (because) return { may: "no", because };
  const missing = gapOf(role, company, authority, today);
  return missing ? { may: "not known", missing } : { may: "yes", limit: limitOf(authority) };
}

function obstacleOf(role: Role, company: CompanyFacts, authority: AuthorityFacts): Obstacle | null {
  if (company.isOutOfService) return { code: "out_of_service", since: company.outOfServiceSince };
  // Brokers and freight forwarders do not have to keep their USDOT number active.
  if (role === "haul" && company.usdotStatus === "I") return { code: "usdot_not_active" };
  if (["inactive", "withdrawn"].includes(authority.status)) return endOf(authority);
  if (authority.status === "pending") return { code: "applied_for" };
  return authority.status === "active" ? lackOf(authority) : null;
}

const ENDS: Readonly<Record<string, "suspended" | "revoked" | "withdrawn">> = {
  insurance_suspension: "suspended",
  security_suspension: "suspended",
  agent_suspension: "suspended",
  revocation: "revoked",
  withdrawal: "withdrawn",
};

/** How an authority that is inactive or withdrawn came to its end, if the registry's newest change tells. */
export function endOf({ lastChange, status }: AuthorityFacts): Obstacle {
  const code = lastChange?.status === status ? ENDS[lastChange.meaning] : undefined;
  return lastChange && code ? { code, since: lastChange.on } : { code: "not_active" };
}

/** What has to be on file and is not. */
function lackOf({ authorityClass, cover }: AuthorityFacts): Obstacle | null {
  if (cover === null) return null;
  const { required, onFile } = cover;
  if (required !== null && onFile !== null && onFile < required) {
    return { code: "insurance_too_low", required, onFile };
  }
  if (INTERMEDIARIES.includes(authorityClass) && cover.isBondRequired && cover.isBondOnFile === false) {
    return { code: "bond_missing" };
  }
  // Since 2011 the registry requires it of household goods alone.
  if (authorityClass === "carrier_hhg" && cover.isCargoRequired && cover.isCargoOnFile === false) {
    return { code: "cargo_missing" };
  }
  return null;
}

function gapOf(role: Role, company: CompanyFacts, authority: AuthorityFacts, today: string): Gap | null {
  const { status, orders, cover } = authority;
  if (status === "missing") return { code: "authority_not_named" };
  if (status !== "active") return { code: "status_unknown", status };
  if (company.isOutOfService === null) return { code: "out_of_service_unknown" };
  if (role === "haul" && company.usdotStatus !== "A") return { code: "usdot_unknown" };
  const due = orders.find(({ effectiveOn }) => effectiveOn <= today);
  if (due) return { code: "order_due", kind: due.kind, on: due.effectiveOn, asOf: company.asOf };
  if (authority.isRevocationUndated) return { code: "revocation_undated" };
  if (!cover?.isChecked) return { code: "cancellation_unknown" };
  const { cancellation } = cover;
  if (cancellation && cancellation.on <= today) {
    return { code: "cancellation_due", insuranceType: cancellation.insuranceType, on: cancellation.on };
  }
  return coverGapOf(authority, cover);
}

function coverGapOf(
  { authorityClass }: AuthorityFacts,
  cover: NonNullable<AuthorityFacts["cover"]>,
): Gap | null {
  const isAmountKnown = cover.required === 0 || (cover.required !== null && cover.onFile !== null);
  if (authorityClass !== "broker" && !isAmountKnown) return { code: "amount_unknown" };
  const isBondKnown = cover.isBondRequired === false || cover.isBondOnFile === true;
  if (INTERMEDIARIES.includes(authorityClass) && !isBondKnown) return { code: "bond_unknown" };
  const isCargoKnown = cover.isCargoRequired === false || cover.isCargoOnFile === true;
  if (authorityClass === "carrier_hhg" && !isCargoKnown) return { code: "cargo_unknown" };
  return null;
}

/** What ends it first. */
function limitOf({ orders, cover }: AuthorityFacts): Limit | null {
  const limits: Limit[] = orders.map(({ kind, effectiveOn }) => ({ code: "order", kind, on: effectiveOn }));
  if (cover?.cancellation) {
    const { insuranceType, on } = cover.cancellation;
    limits.push({ code: "cancellation", insuranceType, on });
  }
  return limits.toSorted((one, other) => (one.on < other.on ? -1 : 1))[0] ?? null;
}

const NEVER = "9999-12-31";

/** Of several authorities of a class the best one counts: the one that lasts longest, then one that is not known. */
const bestFirst = (one: Outcome, other: Outcome): number => {
  const [a, b] = [rankOf(one), rankOf(other)];
  return a < b ? 1 : a > b ? -1 : 0;
};

function rankOf(outcome: Outcome): string {
  if (outcome.may === "yes") return `2 ${outcome.limit?.on ?? NEVER}`;
  if (outcome.may === "not known") return "1";
  const told = OBSTACLES.length - OBSTACLES.indexOf(outcome.because.code);
  return `0 ${String(told).padStart(2, "0")}`;
}
