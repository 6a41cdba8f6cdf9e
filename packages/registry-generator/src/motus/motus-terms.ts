import type { Company } from "../companies/company.ts";
import type { Authority } from "../histories/authorities.ts";
import type { Action } from "../histories/histories.ts";

const EXCEPT_HOUSEHOLD = "of Property (Except Household Goods)";
const OF_HOUSEHOLD = "of Household Goods";
/** The status after an action; none when the action does not change it or is not in Motus. */
export const MOTUS_STATUS: Partial<Record<Action["act"], string>> = {
  applied: "Pending",
  granted: "Active",
  reinstated: "Active",
  proceeding_dropped: "Active",
  revoked: "Inactive",
  suspended_insurance: "Inactive",
  suspended_agent: "Inactive",
  withdrawn: "Withdrawn",
};

/** The type of authority as Motus writes it. */
export function motusType(company: Company, { kind, ofHousehold }: Authority): string {
  if (kind === "broker") return `Broker ${ofHousehold ? OF_HOUSEHOLD : EXCEPT_HOUSEHOLD}`;
  if (kind === "forwarder") return `Freight Forwarder ${ofHousehold ? OF_HOUSEHOLD : EXCEPT_HOUSEHOLD}`;
  if (kind === "passengers") return "Motor Carrier of Passengers";
  const goods = kind === "household" ? OF_HOUSEHOLD : EXCEPT_HOUSEHOLD;
  if (company.place.country === "MX") return `Mexico Domiciled Motor Carrier ${goods}`;
  // Foreign-owned companies: about one in two hundred.
  return company.life.index % 211 === 7 ? `Enterprise Motor Carrier ${goods}` : `Motor Carrier ${goods}`;
}
