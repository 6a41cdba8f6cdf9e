-- The ids of recorded changes were counted up from the newest one. Where that was gone, as after the demo was replaced, they were
-- given again, while readers and dispatchers were behind higher ones already.
CREATE SEQUENCE "carrier_change_id_seq" OWNED BY "carrier_change"."id";

SELECT setval('"carrier_change_id_seq"', "newest"."id") FROM (
  SELECT greatest(
    (SELECT max("id") FROM "carrier_change"), (SELECT "last_change_id" FROM "webhook_fan_out"),
    (SELECT max("after_change_id") FROM "webhook_endpoint"), (SELECT max("last_change_id") FROM "watch_mail"),
    (SELECT max("last_change_id") FROM "shared_value_index")) AS "id"
) AS "newest" WHERE "newest"."id" > 0;

-- The highest id that was ever given; 0 before the first. An older program, which may still run, does not move the sequence.
CREATE FUNCTION "last_change_id"() RETURNS bigint LANGUAGE sql AS $$
  SELECT greatest(pg_sequence_last_value('"carrier_change_id_seq"'), (SELECT max("id") FROM "carrier_change"), 0)
$$;

-- Moves the sequence to the newest change. The role of `serve`, which records connections, may not set a sequence.
CREATE FUNCTION "keep_change_ids"() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT setval('"carrier_change_id_seq"', "last"."id") FROM "last_change_id"() AS "last" ("id") WHERE "last"."id" > 0
$$;
