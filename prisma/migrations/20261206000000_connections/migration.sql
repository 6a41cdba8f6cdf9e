-- Values that few USDOT numbers have in common, from which the connections of a carrier are read.
CREATE TABLE "shared_value" (
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "usdot" INTEGER NOT NULL,
    "is_now" BOOLEAN NOT NULL,
    "first_on" DATE,
    "last_on" DATE,
    "sources" TEXT[],

    CONSTRAINT "shared_value_pkey" PRIMARY KEY ("kind", "value", "usdot")
);

CREATE INDEX "shared_value_usdot_idx" ON "shared_value"("usdot");

-- The state of the registry that all shared values are of.
CREATE TABLE "shared_value_index" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "registry" TEXT NOT NULL,
    "as_of" DATE NOT NULL,

    CONSTRAINT "shared_value_index_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "shared_value_index_id_check" CHECK ("id")
);

-- The connected businesses that an account was charged for in a month.
CREATE TABLE "connection_charge" (
    "account_id" INTEGER NOT NULL,
    "month" DATE NOT NULL,
    "usdot" INTEGER NOT NULL,

    CONSTRAINT "connection_charge_pkey" PRIMARY KEY ("account_id", "month", "usdot")
);

ALTER TABLE "connection_charge" ADD CONSTRAINT "connection_charge_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the spellings of an address have in common: street with number and suite, and the first five characters of the ZIP
-- code. Null without a number or a ZIP code. Words for a suite are left out: "STE 5", "UNIT 5" and "#5" are the same. It is
-- one expression without a query of its own, so the planner puts it into the statement: a call for each row takes longer.
CREATE FUNCTION "address_key"("street" text, "zip" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN "street" COLLATE "C" ~ '[0-9]' AND "zip" COLLATE "C" ~ '[0-9]' THEN left(btrim(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(
        replace(replace(replace(' ' || translate(upper("street" COLLATE "C"), '.,;:#-/&()"''', '           ') || ' ',
          '    ', ' '), '  ', ' '), '  ', ' '),
        ' STREET ', ' ST '), ' AVENUE ', ' AVE '), ' ROAD ', ' RD '), ' DRIVE ', ' DR '), ' LANE ', ' LN '),
        ' BOULEVARD ', ' BLVD '), ' HIGHWAY ', ' HWY '), ' COURT ', ' CT '), ' CIRCLE ', ' CIR '), ' PARKWAY ', ' PKWY '),
        ' NORTH ', ' N '), ' SOUTH ', ' S '), ' EAST ', ' E '), ' WEST ', ' W '), ' P O BOX ', ' PO BOX '),
        ' SUITE ', ' '), ' STE ', ' '), ' UNIT ', ' ')), 200)
    || '|' || CASE
      -- Files that passed through a spreadsheet lack leading zeros.
      WHEN "zip" COLLATE "C" ~ '^[0-9]{3,5}(-[0-9]{4})?$' THEN lpad(split_part("zip", '-', 1), 5, '0')
      ELSE left(upper(translate("zip", ' -', '')), 5) END
  END
$$;
