-- What the recount keeps from one import to the next, and the tables that it looks things up in.

-- The zone of most of a state, from the table of section 8 and 49 CFR part 71.
CREATE TABLE recount.state_zone AS
SELECT unnest(string_to_array(states, ' ')) AS state, zone
FROM (VALUES
  ('CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV', 'America/New_York'),
  ('AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI', 'America/Chicago'),
  ('CO ID MT NM UT WY', 'America/Denver'), ('AZ', 'America/Phoenix'),
  ('CA NV OR WA', 'America/Los_Angeles'), ('AK', 'America/Anchorage'), ('HI', 'Pacific/Honolulu'),
  ('PR', 'America/Puerto_Rico'), ('VI', 'America/St_Thomas'), ('GU', 'Pacific/Guam'), ('AS', 'Pacific/Pago_Pago'),
  ('MP', 'Pacific/Saipan')
) AS zones (states, zone);

CREATE TABLE recount.county_zone (state text, county text, zone text);
CREATE TABLE recount.agent (kind text, value text);

-- One row: the day of the import, the files that are others than before, their days, and facts about the import before.
CREATE TABLE recount.import_day (
  today date, changed text[], registry_day date, history_day date, notices_day date, policies_day date, census_day date,
  statuses_day date, endings_day date, orders_day date, agents_day date, registry_day_before date,
  knows_history boolean DEFAULT false, knows_notices boolean DEFAULT false, knows_statuses boolean DEFAULT false,
  knows_endings boolean DEFAULT false);
INSERT INTO recount.import_day DEFAULT VALUES;

-- Every order that was pending once.
CREATE TABLE recount.seen_pending (docket text, authority_class text, usdot integer, day date,
  UNIQUE (docket, authority_class, usdot, day));
-- Every authority that a Motus file ever named, and the day from which on its changes make events.
CREATE TABLE recount.ever_in_motus (docket text, authority_class text, usdot integer, UNIQUE (docket, authority_class, usdot));
CREATE TABLE recount.first_seen (docket text, authority_class text, usdot integer, day date,
  UNIQUE (docket, authority_class, usdot));

-- The ends of policies, each with the as-of day of the import before it was first seen; none for those of the first file.
CREATE TABLE recount.ending_first_seen (
  docket text, type_code text, policy text, cancelled_on date, known_until date,
  UNIQUE NULLS NOT DISTINCT (docket, type_code, policy, cancelled_on));

CREATE TABLE recount.event (
  type text, usdot integer, docket text, authority_class text, state text, occurred_on date, detected_on date,
  source_dataset text, verify_method text, data jsonb,
  -- Identifies the event, so that it is reported once.
  identity text UNIQUE,
  -- The docket that the event told, if its authority has another one by now.
  told_docket text);
