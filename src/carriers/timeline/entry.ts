/** What happened to a carrier, once, although the registry may write it several times. */
export interface Entry {
  /** The registry's day; null where it gives none. It may be in the future: what is announced. */
  on: string | null;
  /** The day under which its change is recorded, if that is another one. */
  recordedOn?: string | null;
  category: string;
  action: Action;
  docket: string | null;
  authorityType: string | null;
  details: Details;
  /** The file that it is from. */
  dataset: string;
}

export type Action =
  | "applied"
  | "granted"
  | "reinstated"
  | "suspended"
  | "revoked"
  | "withdrawn"
  | "ended"
  | "status_changed"
  | "order_served"
  | "order_discontinued"
  | "policy_filed"
  | "policy_replaced"
  | "policy_cancelled"
  | "placed_out_of_service"
  | "changed";

/** The facts of an entry that its day and action do not tell. */
interface Details {
  /** The registry's own words for what happened. */
  words?: string | null;
  servedOn?: string | null;
  effectiveOn?: string | null;
  /** The day on which an order was discontinued or rescinded, or a policy ended. */
  endedOn?: string | null;
  insurer?: string | null;
  previousInsurer?: string | null;
  insuranceType?: string | null;
}
