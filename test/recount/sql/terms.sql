-- Functions that read the fields of registry files, written only from the registry's reference. Copy nothing from the
-- program here: a shared error would stay hidden.
CREATE SCHEMA recount;

-- Drops direction marks. A run of blanks and control characters becomes one blank; a blank text becomes null.
CREATE FUNCTION recount.tidy(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  -- Nearly every text is tidy: printable ASCII with single blanks. To see that takes a fraction of the time.
  SELECT CASE WHEN raw ~ '^[!-~]+( [!-~]+)*$' THEN raw ELSE nullif(btrim(regexp_replace(
    regexp_replace(raw, '[\u202a-\u202e\u2066-\u2069]+', '', 'g'),
    '[[:space:][:cntrl:]\u00a0\u2000-\u200b\u2028\u2029\u2060\u3000]+', ' ', 'g')), '') END
$$;

-- A coded value in normal form: in capitals, with one blank for everything between letters and digits.
CREATE FUNCTION recount.words(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(btrim(regexp_replace(upper(recount.tidy(raw)), '[^[:alnum:]#]+', ' ', 'g')), '')
$$;

CREATE FUNCTION recount.usdot(raw text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(recount.tidy(raw) FROM '^0*([1-9][0-9]{0,7})$')::integer
$$;

CREATE FUNCTION recount.docket(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT parts[1] || parts[2]
  FROM regexp_match(regexp_replace(upper(raw), '[^A-Z0-9]', '', 'g'), '^(MC|FF|MX)0*([1-9][0-9]{0,7})$') AS parts
$$;

-- Reads three forms. Years before 1935 or more than two years after the day of the file are mistyped.
CREATE FUNCTION recount.day(raw text, today date) RETURNS date LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  said text := recount.tidy(raw);
  parts text[] := regexp_match(said, '^([0-9]{4})-?([0-9]{2})-?([0-9]{2})([ T].*)?$');
  found date;
BEGIN
  IF parts IS NULL THEN
    parts := regexp_match(said, '^([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})$');
    parts := ARRAY [parts[3], parts[1], parts[2]];
  END IF;
  IF parts[1]::integer < 1900 OR parts[2]::integer NOT BETWEEN 1 AND 12 OR parts[3]::integer < 1 THEN RETURN NULL; END IF;
  -- The thirtieth of February is a day of March.
  found := make_date(parts[1]::integer, parts[2]::integer, 1) + (parts[3]::integer - 1);
  RETURN CASE WHEN extract(month FROM found) = parts[2]::integer AND found <= today + interval '2 years'
    AND found >= DATE '1935-01-01' THEN found END;
END
$$;

-- A day that can't be in the future.
CREATE FUNCTION recount.past_day(raw text, today date) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN day <= today THEN day END FROM recount.day(raw, today) AS day
$$;

CREATE FUNCTION recount.miles(raw text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(recount.tidy(raw) FROM '^[0-9]{1,9}$')::integer
$$;

-- The name of a company, as opposed to a person's.
CREATE FUNCTION recount.sounds_like_a_firm(name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  -- A dot between two single letters, as in L.P., does not part them, but in the name's first word.
  SELECT regexp_replace(
    regexp_replace(upper(recount.tidy(name)), '(?<=[^A-Z0-9.]([A-Z]\.)*[A-Z])\.(?=([A-Z]\.)*[A-Z](?![A-Z0-9]))', '', 'g'),
    '[^A-Z0-9]+', ' ', 'g') ~ ('\m(P?LLC|L L C|LC|L{2,3}P|L L P|LP|LTD|L T D|'
    'LIMITED|PLC|PC|PA|INC|INCORPORATED|CORP|CORPORATION|CO|COMPANY|TRUST|FOUNDATION|ASSOCIATION|ASSN|PARTNERSHIP|'
    'COOPERATIVE|COOP|AUTHORITY|DEPARTMENT|DISTRICT|UNIVERSITY|COLLEGE|CHURCH|(CITY|COUNTY|TOWN|STATE) OF)\M')
$$;

-- Ten digits without the country's 1. Area code and exchange must not begin with 0 or 1; one repeated digit is invalid.
CREATE FUNCTION recount.phone(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN digits ~ '^[2-9][0-9]{2}[2-9][0-9]{6}$' AND digits !~ '^([0-9])\1{9}$' THEN digits END
  FROM regexp_replace(regexp_replace(raw, '[^0-9]', '', 'g'), '^1([0-9]{10})$', '\1') AS digits
$$;

-- One of more than 80 characters is none.
CREATE FUNCTION recount.email(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(CASE WHEN length(recount.tidy(raw)) <= 80 THEN lower(recount.tidy(raw)) END FROM '^[^@[:space:],;:<>()"]{1,64}@[a-z0-9.-]+\.[a-z]{2,24}$')
$$;

-- Whole numbers up to 100,000; larger ones are invalid.
CREATE FUNCTION recount.amount(raw text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN read <= 100000 THEN read END
  FROM (SELECT substring(recount.tidy(raw) FROM '^[0-9]{1,9}$')::integer AS read) AS number
$$;

CREATE FUNCTION recount.state(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(upper(recount.tidy(raw)) FROM '^[A-Z]{2}$')
$$;

-- The country, which is not known where a foreign state contradicts it. The codes of armed forces are in the US.
CREATE FUNCTION recount.country(raw text, raw_state text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN coalesce(said, 'US') = 'US' AND recount.state(raw_state) NOT IN ('AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'DC',
      'FL', 'GA', 'HI', 'ID', 'IL', 'IN', 'IA', 'KS', 'KY', 'LA', 'ME', 'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV',
      'NH', 'NJ', 'NM', 'NY', 'NC', 'ND', 'OH', 'OK', 'OR', 'PA', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV',
      'WI', 'WY', 'PR', 'VI', 'GU', 'AS', 'MP', 'AA', 'AE', 'AP') THEN 'UNKNOWN'
    ELSE said
  END
  FROM upper(recount.tidy(raw)) AS said
$$;

-- With the zeros that spreadsheets drop: New England and New Jersey begin with one, the Caribbean with two.
CREATE FUNCTION recount.zip(written text, state text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN state IN ('CT', 'MA', 'ME', 'NH', 'NJ', 'RI', 'VT') THEN regexp_replace(written, '^(\d{4})(-?\d{4})?$', '0\1\2')
    WHEN state IN ('PR', 'VI') THEN regexp_replace(written, '^(\d{3})(-?\d{4})?$', '00\1\2')
    ELSE written
  END
$$;

CREATE FUNCTION recount.is_yes(raw text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(upper(btrim(raw)) IN ('Y', 'X'), false)
$$;

-- The letters and digits of a policy number: two spellings of it have these in common.
CREATE FUNCTION recount.policy(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(regexp_replace(upper(raw), '[^A-Z0-9]', '', 'g'), '')
$$;

-- Two spellings of a name have this in common.
CREATE FUNCTION recount.name_key(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(upper(raw), '[[:space:][:punct:]]', '', 'g')
$$;

-- The contract says how long a column may be. A text that is longer loses its end, and the blank before it.
CREATE FUNCTION recount.at_most(characters integer, said text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT rtrim(left(said, characters))
$$;

CREATE FUNCTION recount.without_emails(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(recount.tidy(raw), '[^ ]*@[^ ]*', '[e-mail removed]', 'g')
$$;

-- The same number as a docket of the other kind of carrier: MC for MX, and the reverse.
CREATE FUNCTION recount.renamed(docket text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN docket LIKE 'MC%' THEN replace(docket, 'MC', 'MX') WHEN docket LIKE 'MX%' THEN replace(docket, 'MX', 'MC') END
$$;

-- A Motus row without docket is about the company by its number.
CREATE FUNCTION recount.motus_docket(raw text, raw_usdot text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN recount.words(raw) <> '' THEN recount.docket(raw) ELSE 'DOT' || recount.usdot(raw_usdot) END
$$;

CREATE FUNCTION recount.motus_class(wording text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN said LIKE 'BROKER%' THEN 'broker'
    WHEN said LIKE 'FREIGHT FORWARDER%' THEN 'freight_forwarder'
    WHEN said LIKE '%MOTOR CARRIER%PASSENGER%' THEN 'passenger'
    WHEN said LIKE '%MOTOR CARRIER%OF HOUSEHOLD GOODS%' THEN 'carrier_hhg'
    WHEN said LIKE '%MOTOR CARRIER%PROPERTY%' THEN 'carrier_property'
    ELSE 'unknown'
  END
  FROM recount.words(wording) AS said
$$;

CREATE FUNCTION recount.motus_status(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN said IN ('ACTIVE', 'PENDING', 'INACTIVE', 'WITHDRAWN') THEN lower(said) ELSE 'other' END
  FROM recount.words(raw) AS said
$$;

-- The meaning of a history row, by its REASON (6.2). An unknown reason means nothing.
CREATE FUNCTION recount.meaning(reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN said LIKE '%#220%' THEN 'repair'
    WHEN said = 'GRANTED' THEN 'grant'
    WHEN said LIKE 'REINSTATED%' THEN 'reinstatement'
    WHEN said LIKE 'INVOLUNTARY SUSPENSION%' AND said ~ 'INSURANCE|BOND|TRUST|SURETY|SECURITY' THEN 'lapse'
    WHEN said = 'DISCONTINUED REVOCATION' THEN 'dropped'
    ELSE 'nothing'
  END
  FROM recount.words(reason) AS said
$$;

-- Carried over from the legacy registry: in capitals, from before it stopped.
CREATE FUNCTION recount.is_carried_over(reason text, changed_on date) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT reason = upper(reason) AND changed_on <= DATE '2026-05-14'
$$;

-- An order counts as involuntary unless it says that the holder asked for it.
CREATE FUNCTION recount.is_voluntary(order_type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT said LIKE '%VOLUNTARY%' AND said NOT LIKE '%INVOLUNTARY%' FROM recount.words(order_type) AS said
$$;

-- How a policy ended. NULL for a changed name and a transfer: the cover goes on. Any unknown reason is a loss.
CREATE FUNCTION recount.ending(reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN said IN ('CANCEL', 'CANCELLED') THEN 'cancelled' WHEN said IN ('TERM REPL', 'REPLACED') THEN 'replaced'
    WHEN said IN ('NAMECHG', 'NAME CHANGE') OR said LIKE 'TRANSFER%' THEN NULL
    ELSE 'lost'
  END
  FROM recount.words(reason) AS said
$$;

-- Bonds and trust funds are one kind: both secure a broker's debts.
CREATE FUNCTION recount.cover_kind(type_code text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE recount.words(type_code) WHEN '1' THEN 'bipd' WHEN '2' THEN 'cargo' WHEN '3' THEN 'security' WHEN '4' THEN 'security' END
$$;

CREATE FUNCTION recount.cover_class(class_code text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN said IN ('', 'P', '1', '2') THEN 'primary' WHEN said = 'E' THEN 'excess' ELSE 'unknown' END
  FROM recount.words(class_code) AS said
$$;

-- The classes of a row of the legacy history; COMMON or CONTRACT alone means every class of carrier.
CREATE FUNCTION recount.legacy_classes(docket text, wording text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN docket LIKE 'FF%' OR wording ILIKE '%freight forwarder%' THEN '{freight_forwarder}'
    WHEN wording ILIKE '%broker%' THEN '{broker}'
    WHEN wording ILIKE '%passenger%' THEN '{passenger}'
    WHEN wording ILIKE '%household goods%' AND wording NOT ILIKE '%except household%' THEN '{carrier_hhg}'
    WHEN wording ILIKE '%motor property%' THEN '{carrier_property}'
    WHEN wording ~* '\m(common|contract|carrier)\M' THEN '{carrier_property,carrier_hhg,passenger}'
    ELSE '{}'
  END::text[]
$$;

-- The most active status has the lowest rank.
CREATE FUNCTION recount.rank(status text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_position(ARRAY ['active', 'pending', 'inactive', 'withdrawn'], status), 9)
$$;

-- US companies, without the registry's own record and its tests.
CREATE FUNCTION recount.is_customer_of_interest(usdot integer, country text, name text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT usdot <> 1 AND coalesce(country, 'US') = 'US' AND name IS NOT NULL AND name !~ '\mTEST\M'
$$;
