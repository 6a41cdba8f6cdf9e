import type { FeedCode } from "../../feeds/catalogue.ts";
import type { OpenCancellationsRow } from "../../generated/sql/carriers/decision.ts";
import type { FindAuthoritiesRow } from "../../generated/sql/carriers/explain.ts";
import type { AuthorityClass } from "../../registry/authority-classes.ts";
import type { Membership } from "../explain/feed-membership.ts";
import type { AuthorityFacts, CompanyFacts, Cover, InsuranceType, OrderKind, PendingOrder } from "./facts.ts";

/**
 * The feed whose candidates are the authorities of every freight class. It is live once the files of policies are there. Its
 * facts decide, whether the caller's plan has it or not.
 */
export const FEED_OF_FACTS: FeedCode = "us_insurance_lapse_alerts";

/** The columns of a candidate that facts are made of, beside those of the rules. */
interface FactColumns {
  safety_rating: string | null;
  safety_rating_date: string | null;
  out_of_service: boolean | null;
  oos_since: string | null;
  oos_reason: string | null;
  insurance_required: number | null;
  insurance_on_file: number | null;
  filed_insurer: string | null;
  policy_effective: string | null;
  bond_form: string | null;
}

export type FactMembership = Membership & FactColumns;

/** An order as a statement gives it. */
interface StoredOrder {
  order_type: string;
  served_on: string | null;
  effective_on: string;
}

/** The facts of the company, from any of its authorities: an active one has the most. */
export function companyFacts(
  usdot: number,
  asOf: string,
  memberships: readonly FactMembership[],
): CompanyFacts {
  const member = memberships.find(({ company }) => company !== null) ?? memberships[0];
  return {
    usdot,
    asOf,
    usdotStatus: member?.status_code ?? null,
    isOutOfService: member?.out_of_service ?? null,
    outOfServiceSince: member?.oos_since ?? null,
    outOfServiceReason: member?.oos_reason ?? null,
    safetyRating: member?.safety_rating ?? null,
    safetyRatingOn: member?.safety_rating_date ?? null,
  };
}

/** What the statements of this folder say of an authority. */
interface Announced {
  unsettledOrders: readonly StoredOrder[];
  /** Null while a file of policies is missing. */
  cancellations: readonly OpenCancellationsRow[] | null;
  /** Motus tells it itself of the authorities that it has. */
  isLegacyCargoOnFile: boolean;
}

/** The facts of an authority. `member` is undefined for a class that no feed has. */
export function authorityFacts(
  stored: FindAuthoritiesRow,
  member: FactMembership | undefined,
  { unsettledOrders, ...filed }: Announced,
): AuthorityFacts {
  const orders = [...stored.pending_revocations, ...unsettledOrders]
    .map(pendingOrder)
    .toSorted((one, other) => (one.effectiveOn < other.effectiveOn ? -1 : 1));
  return {
    docket: stored.docket,
    authorityClass: stored.authority_class as AuthorityClass,
    status: stored.status,
    statusSource: stored.status_source,
    grantedOn: stored.granted_on,
    lastChange: stored.newest_history.find(({ status }) => status === stored.status) ?? null,
    orders,
    isRevocationUndated: member?.is_revocation_pending === true && member.order_effective === null,
    cover: member ? coverOf(stored, member, filed) : null,
  };
}

const pendingOrder = ({ order_type, served_on, effective_on }: StoredOrder): PendingOrder => ({
  kind: kindOf(order_type),
  servedOn: served_on,
  effectiveOn: effective_on,
});

const kindOf = (words: string): OrderKind =>
  /suspen/i.test(words) ? "suspension" : /revo[ck]/i.test(words) ? "revocation" : "order";

function coverOf(
  { coverage }: FindAuthoritiesRow,
  member: FactMembership,
  { cancellations, isLegacyCargoOnFile }: Omit<Announced, "unsettledOrders">,
): Cover {
  const flag = (name: string): boolean | null =>
    typeof coverage?.[name] === "boolean" ? coverage[name] : null;
  const isCargoRequired = flag("cargo_required");
  const isBondRequired = flag("bond_required");
  const isRequired: Record<InsuranceType, boolean> = {
    bipd: member.insurance_required !== 0,
    cargo: isCargoRequired !== false,
    bond: isBondRequired !== false,
    trust_fund: isBondRequired !== false,
  };
  const [first] = (cancellations ?? []).filter(({ insurance_type }) => isRequired[insurance_type]);
  return {
    required: member.insurance_required,
    onFile: member.insurance_on_file,
    isCargoRequired,
    isCargoOnFile: flag("cargo_on_file") ?? (isLegacyCargoOnFile ? true : null),
    isBondRequired,
    isBondOnFile: flag("bond_on_file") ?? (member.bond_form === null ? null : true),
    bondForm: member.bond_form,
    insurer: member.filed_insurer,
    effectiveOn: member.policy_effective,
    isChecked: cancellations !== null,
    cancellation: first
      ? { insuranceType: first.insurance_type, on: first.on, insurer: first.insurer }
      : null,
  };
}
