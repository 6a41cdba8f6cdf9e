-- What changed at each company since the import before, from the files alone.
CREATE TABLE IF NOT EXISTS recount.change (
  usdot integer, docket text, item jsonb, category text, field text, old_value jsonb, new_value jsonb, registry_on date,
  as_of date, seen_on date, source text);
CREATE TEMP TABLE difference (LIKE recount.change);
INSERT INTO difference
SELECT DISTINCT holder.usdot, CASE WHEN told.docket NOT LIKE 'DOT%' THEN told.docket END, told.item, told.category,
  told.field, before.value, now.value,
  -- Every row of the census has the day of the company's last filing: it is that of the change if it is another one.
  CASE WHEN told.source <> 'census' OR now.day IS DISTINCT FROM before.day THEN now.day END, registry_day, today,
  CASE told.source WHEN 'authority' THEN coalesce(now.day_source, 'motus_carrier') ELSE told.source END
FROM recount.said_before AS before
FULL JOIN recount.said AS now USING (source, thing, field)
CROSS JOIN recount.import_day
CROSS JOIN LATERAL (SELECT source, coalesce(now.docket, before.docket) AS docket, coalesce(now.item, before.item) AS item,
  coalesce(now.category, before.category) AS category, field) AS told
CROSS JOIN LATERAL (SELECT coalesce(now.usdot, before.usdot, (
  SELECT min(usdot) FROM recount.authority WHERE authority.docket = told.docket)) AS usdot) AS holder
WHERE registry_day_before IS NOT NULL
  AND CASE
    WHEN before.thing IS NULL OR now.thing IS NULL THEN coalesce(now.is_appearance, before.is_appearance)
      AND before.value IS DISTINCT FROM now.value
    ELSE before.form IS DISTINCT FROM now.form
  END
  AND (told.source = 'authority' OR holder.usdot IN (SELECT usdot FROM recount.authority));
-- An order that its company had before and has now did not change, whether a row names the company or only the docket.
DELETE FROM difference USING (
  SELECT holder.usdot, told.docket, told.item, said - 'order_type' AS days, count(DISTINCT is_now) AS times
  FROM (
    SELECT source, usdot, docket, item, value AS said, true AS is_now FROM recount.said
    UNION ALL SELECT source, usdot, docket, item, value, false FROM recount.said_before
  ) AS told
  CROSS JOIN LATERAL (SELECT coalesce(told.usdot, (
    SELECT min(usdot) FROM recount.authority WHERE authority.docket = told.docket)) AS usdot) AS holder
  WHERE source = 'motus_revokesuspend'
  GROUP BY holder.usdot, told.docket, told.item, days
) AS known
WHERE times = 2 AND field = 'order' AND known.usdot = difference.usdot AND known.item = difference.item
  AND CASE WHEN known.docket NOT LIKE 'DOT%' THEN known.docket END IS NOT DISTINCT FROM difference.docket
  AND days = coalesce(difference.old_value, difference.new_value) - 'order_type';
-- What is gone under one docket of a company and came with the same values under another only moved with its authority.
INSERT INTO recount.change
SELECT * FROM difference WHERE field NOT IN ('status_change', 'policy', 'policy_end') OR NOT EXISTS (
  SELECT FROM difference AS mirrored
  WHERE (mirrored.usdot, mirrored.source, mirrored.field) = (difference.usdot, difference.source, difference.field)
    AND mirrored.docket IS DISTINCT FROM difference.docket AND mirrored.item = difference.item
    AND mirrored.old_value IS NOT DISTINCT FROM difference.new_value
    AND mirrored.new_value IS NOT DISTINCT FROM difference.old_value);
DROP TABLE difference;

-- How many values are only written in another form.
CREATE TABLE IF NOT EXISTS recount.retyped (usdot integer, field text, seen_on date);
INSERT INTO recount.retyped
SELECT now.usdot, field, today
FROM recount.said_before AS before JOIN recount.said AS now USING (source, thing, field) CROSS JOIN recount.import_day
WHERE now.category IN ('name', 'address') AND now.value <> before.value AND now.form = before.form;
