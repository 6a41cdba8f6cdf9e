const words = (text: string): string[] => text.trim().split(/\s+/);

const HEAD = words("company dba_name dot_number docket_number");
const STATUS_AND_CONTACT = words(`
  authority_status authority_granted days_in_business street city state zip time_zone phone phone_type cell_phone has_cell
  email`);
const FLEET = words("power_units drivers general_freight");
const TAIL = words("status_source last_verified");
/** What companies file in the census about themselves. */
const FILED = words(`
  carrier_operation hazmat cargo safety_rating safety_rating_date mcs150_date annual_mileage mileage_year usdot_added
  is_individual phone_shared_by email_shared_by insurance_required insurance_on_file`);
/** Of the optional files. */
const OPTIONAL = words("out_of_service oos_since oos_reason boc3_on_file");
/** Of the policy on file. */
const POLICY = words("policy_effective cancellation_pending");
const CARRIER_POLICY = ["insurer", ...POLICY, "cancellations_12m"];

const carrierColumns = (...own: string[]) => [...HEAD, ...own, ...STATUS_AND_CONTACT, ...FLEET, ...TAIL];

/** The columns of each feed in the order of the contract, without the record's id. */
export const FEED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  us_new_authority_weekly: [
    ...carrierColumns("authority_type"),
    "authority_types",
    ...FILED,
    ...OPTIONAL,
    ...CARRIER_POLICY,
  ],
  us_small_carriers_active: [
    ...carrierColumns("authority_type"),
    "authority_types",
    ...FILED,
    ...OPTIONAL,
    ...CARRIER_POLICY,
  ],
  us_revocation_pending: [
    ...carrierColumns("authority_type", "order_type", "order_served", "order_effective"),
    ...FILED,
    ...OPTIONAL,
    ...CARRIER_POLICY,
  ],
  us_insurance_lapse_alerts: [
    ...carrierColumns(
      "authority_type",
      "alert_reason",
      "insurance_type",
      "cancellation_effective",
      "insurer",
    ),
    ...FILED,
    ...OPTIONAL,
    ...POLICY,
    "cancellations_12m",
  ],
  us_brokers: [
    ...HEAD,
    "entity_type",
    ...STATUS_AND_CONTACT,
    ...TAIL,
    ...words("mcs150_date usdot_added is_individual phone_shared_by email_shared_by"),
    ...OPTIONAL,
    "insurer",
    ...POLICY,
    "bond_form",
  ],
};
