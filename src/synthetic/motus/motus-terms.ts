import type { Company } from "../companies/company.ts";
import type { Authority } from "../histories/authorities.ts";
import type { Action } from "../histories/histories.ts";

const EXCEPT_HOUSEHOLD = "of Property (Except Household Goods)";
const OF_HOUSEHOLD = "of Household Goods";
/** The status an action leaves behind; none when it leaves the status as it was or Motus never heard of it. */
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

/** The type of authority in the words of Motus. */
export function motusType(company: Company, { kind, ofHousehold }: Authority): string {
  if (kind === "broker") return `Broker ${ofHousehold ? OF_HOUSEHOLD : EXCEPT_HOUSEHOLD}`;
  if (kind === "forwarder") return `Freight Forwarder ${ofHousehold ? OF_HOUSEHOLD : EXCEPT_HOUSEHOLD}`;
  if (kind === "passengers") return "Motor Carrier of Passengers";
  const goods = kind === "household" ? OF_HOUSEHOLD : EXCEPT_HOUSEHOLD;
  if (company.place.country === "MX") return `Mexico Domiciled Motor Carrier ${goods}`;
  // Foreign-owned companies: about one in two hundred.
  return company.life.index % 211 === 7 ? `Enterprise Motor Carrier ${goods}` : `Motor Carrier ${goods}`;
}
