-- A text as a CSV cell after RFC 4180: quoted where it must be, on one line, and never read as anything but text by a
-- spreadsheet. A leading quote is put before = + - @ and their full-width twins, before the minus sign U+2212, and
-- before ; | %, by which some programs split or compute a cell; also where blanks stand before them.
CREATE OR REPLACE FUNCTION "csv_text"("value" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN "safe" ~ '[",]|^\s|\s$' THEN '"' || replace("safe", '"', '""') || '"' ELSE "safe" END
    FROM (
        SELECT CASE WHEN "line" ~ '^\s*[-=+@＝＋－＠;|%\u2212]' THEN '''' || "line" ELSE "line" END AS "safe"
        FROM (SELECT regexp_replace(coalesce("value", ''), '[\x01-\x1f\x7f\u2028\u2029]+', ' ', 'g') AS "line") AS "one_line"
    ) AS "escaped"
$$;
