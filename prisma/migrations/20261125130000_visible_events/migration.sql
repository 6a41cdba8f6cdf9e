-- The removal list as other modules read it: its tables belong to src/suppression.
CREATE VIEW "removal_list_business" AS
SELECT "usdot", "request_id", "suppressed_at" AS "removed_at" FROM "suppressed_business";

CREATE VIEW "removal_list_contact" AS
SELECT "value", "request_id", "blanked_at" AS "removed_at" FROM "blanked_contact";

-- Identifies a state of the list. The number grows with every change. After a restore it may repeat; the transaction
-- that wrote it differs even then.
CREATE VIEW "removal_list_state" AS
SELECT "number" || '.' || "xmin" AS "state" FROM "suppression_state";

-- The events of businesses that are not on the removal list: whoever shows or sends an event reads it here. The list is
-- looked up row by row, after all other conditions, so a long list costs no more than a short one. nullif lets the
-- planner expect that nearly all rows pass. Of NOT IN and NOT EXISTS it expects half, and then sorts instead of using
-- an index's order.
CREATE VIEW "visible_event" AS
SELECT "id", "type", "country", "usdot", "docket", "authority_class", "state", "occurred_on", "detected_at",
    "source_dataset", "verify_method", "data"
FROM "event"
WHERE nullif("usdot", (
    SELECT "removed"."usdot" FROM "removal_list_business" AS "removed" WHERE "removed"."usdot" = "event"."usdot"
)) IS NOT NULL;

-- The ids of all events and when they were detected, for cursors. Nothing in it is about a business.
CREATE VIEW "event_position" AS
SELECT "id", "detected_at" FROM "event";

-- The feeds of a plan that carry an event type, if the plan has API access. An entry of "carried" is a type, a space and
-- a feed that carries it. The planner inlines this function and the two below.
CREATE FUNCTION "plan_event_feed"("plan_code" text, "event_type" text, "carried" text[])
RETURNS TABLE ("feed_code" text, "all_regions" boolean, "regions" text[]) LANGUAGE sql STABLE ROWS 1 AS $$
    SELECT included."feed_code", included."all_regions", included."regions"
    FROM "plan"
    JOIN "plan_feed" AS included ON included."plan_code" = "plan"."code"
    WHERE "plan"."code" = $1 AND "plan"."api_access" AND $2 || ' ' || included."feed_code" = ANY ($3)
$$;

-- One row if a plan sees events of this type in this state, else none. A feed of all regions also shows the events
-- whose state is unknown (null).
CREATE FUNCTION "plan_sees_event"("plan_code" text, "event_type" text, "event_state" text, "carried" text[])
RETURNS TABLE ("feed_code" text) LANGUAGE sql STABLE ROWS 1 AS $$
    SELECT included."feed_code"
    FROM "plan_event_feed"($1, $2, $4) AS included
    WHERE included."all_regions" OR $3 = ANY (included."regions")
    LIMIT 1
$$;

-- Whether the scope of a request has events of this type in this state. An entry of a scope is a type, which means
-- everywhere, or a type, a space and a state. Of coalesce the planner expects that half of the rows pass; of the bare
-- condition it expects far too few without statistics, and then reads more than a page needs.
CREATE FUNCTION "scope_has_event"("scope" text[], "event_type" text, "event_state" text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce($2 = ANY ($1) OR $2 || ' ' || $3 = ANY ($1), false)
$$;
