/** Tables to ask about, and rows that bring out every null. */
export const TABLES = `
  CREATE TABLE t (id int PRIMARY KEY, a int NOT NULL, b int, name text NOT NULL, tags text[] NOT NULL,
    doc jsonb NOT NULL, at timestamptz NOT NULL, isGood boolean NOT NULL);
  CREATE TABLE u (id int PRIMARY KEY, t_id int, c int NOT NULL);
  CREATE TABLE e (id int PRIMARY KEY, n int NOT NULL);
  CREATE VIEW plain AS SELECT id, a, b FROM t;
  CREATE VIEW joined AS SELECT t.id, u.c FROM t LEFT JOIN u ON u.t_id = t.id;
  CREATE FUNCTION maybe(int) RETURNS int LANGUAGE sql AS 'SELECT CASE WHEN $1 > 1 THEN $1 END';
  INSERT INTO t VALUES (1, 1, NULL, 'one', '{}', '{"k": null}', 'infinity', true),
    (2, 2, 2, 'two', '{x,NULL}', '{"k": 1}', now(), false);
  INSERT INTO u VALUES (1, 2, 7), (2, NULL, 8), (3, 99, 9);`;

/**
 * Statements, the columns each of them gives, with ? where they may be null, and values for its parameters. None says
 * that a column is never null which can be.
 */
export const STATEMENTS: [sql: string, columns: string, values?: unknown[]][] = [
  // Columns of tables.
  ["SELECT id, a, b FROM t", "id a b?"],
  ["SELECT * FROM t", "id a b? name tags doc at isgood"],
  ["SELECT t FROM t", "t?"],
  ["SELECT ctid::text AS c FROM t", "c"],
  // Outer joins.
  ["SELECT t.id, u.c FROM t LEFT JOIN u ON u.t_id = t.id", "id c?"],
  ["SELECT t.a, u.c FROM t RIGHT JOIN u ON u.t_id = t.id", "a? c"],
  ["SELECT t.a, u.c FROM t FULL JOIN u ON u.t_id = t.id", "a? c?"],
  ["SELECT t.a, u.c FROM t JOIN u ON u.t_id = t.id", "a c"],
  ["SELECT u.c, e.n FROM t LEFT JOIN (u JOIN e ON e.id = u.id) ON u.t_id = t.id", "c? n?"],
  [
    "SELECT s.one FROM t LEFT JOIN (SELECT id, 1 AS one FROM u WHERE t_id IS NOT NULL) s ON s.id = t.id + 1",
    "one?",
  ],
  [
    "SELECT s.n FROM t LEFT JOIN LATERAL (SELECT count(*) AS n FROM u WHERE u.t_id = t.id HAVING count(*) > 0) s ON true",
    "n?",
  ],
  ["SELECT s.n FROM t CROSS JOIN LATERAL (SELECT count(*) AS n FROM u WHERE u.t_id = t.id) s", "n"],
  ["SELECT id FROM t LEFT JOIN u USING (id)", "id"],
  ["SELECT id FROM u RIGHT JOIN t USING (id)", "id"],
  ["SELECT coalesce(u.c, 0) AS c FROM t LEFT JOIN u ON u.t_id = t.id", "c"],
  ["SELECT u.c + 1 AS c FROM t LEFT JOIN u ON u.t_id = t.id", "c?"],
  // Conditions.
  ["SELECT u.c FROM t LEFT JOIN u ON u.t_id = t.id WHERE u.c > 0", "c"],
  ["SELECT b FROM t WHERE b IS NOT NULL", "b"],
  ["SELECT b FROM t WHERE b IS NOT NULL OR a = 1", "b?"],
  ["SELECT b FROM t WHERE b = 2 OR b > 1", "b"],
  ["SELECT b FROM t WHERE b = ANY ($1::int[])", "b", [[1, 2]]],
  ["SELECT b FROM t WHERE b <> ALL ($1::int[])", "b?", [[]]],
  ["SELECT b FROM t WHERE NOT (b = ANY ($1::int[]))", "b?", [[]]],
  ["SELECT b FROM t WHERE NOT (b = 1)", "b"],
  ["SELECT b FROM t WHERE NOT (b = 1 AND a = 2)", "b?"],
  ["SELECT b FROM t WHERE b IS DISTINCT FROM 2", "b?"],
  ["SELECT b FROM t WHERE (b > 1) IS NOT TRUE", "b?"],
  ["SELECT b FROM t WHERE (b > 1) IS TRUE", "b"],
  ["SELECT b FROM t WHERE coalesce(b, 0) = 0", "b?"],
  ["SELECT b FROM t WHERE b IN (SELECT t_id FROM u)", "b"],
  ["SELECT b FROM t WHERE b NOT IN (SELECT n FROM e)", "b?"],
  ["SELECT b FROM t LEFT JOIN u ON b = u.t_id", "b?"],
  ["SELECT u.t_id FROM t JOIN u ON u.t_id = t.id", "t_id"],
  ["SELECT u.t_id FROM t LEFT JOIN u ON u.t_id = t.id", "t_id?"],
  ["SELECT b FROM t WHERE EXISTS (SELECT FROM u WHERE u.t_id = t.b)", "b?"],
  ["SELECT s.b FROM (SELECT b, a FROM t) s WHERE s.b > 0", "b"],
  ["SELECT b FROM t WHERE CASE WHEN b IS NULL THEN true ELSE b > 1 END", "b?"],
  ["SELECT (SELECT b) AS inner_b FROM t WHERE b > 0", "inner_b"],
  // Changes.
  ["UPDATE t SET b = NULL WHERE b IS NOT NULL RETURNING b", "b?"],
  ["UPDATE t SET a = 1 RETURNING id, a, b", "id a b?"],
  ["UPDATE t SET a = u.c FROM u WHERE u.t_id = t.id RETURNING u.t_id, t.b", "t_id b?"],
  ["DELETE FROM t WHERE b > 0 RETURNING b", "b"],
  ["INSERT INTO u (id, t_id, c) SELECT id + 10, b, a FROM t WHERE b > 0 RETURNING t_id, c", "t_id? c"],
  ["INSERT INTO e VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET n = 2 RETURNING n", "n"],
  ["WITH gone AS (DELETE FROM u RETURNING t_id, c) SELECT t_id, c FROM gone", "t_id? c"],
  ["WITH gone AS (DELETE FROM u RETURNING id, c) SELECT gone.c FROM t LEFT JOIN gone USING (id)", "c?"],
  [
    "MERGE INTO u USING t ON u.t_id = t.id WHEN NOT MATCHED BY SOURCE THEN DELETE RETURNING t.a, u.c",
    "a? c?",
  ],
  // WITH, unions, values.
  ["WITH x AS (SELECT a, b FROM t) SELECT a, b FROM x", "a b?"],
  ["WITH x AS (SELECT b FROM t WHERE b > 0), y AS (SELECT b FROM x) SELECT b FROM y", "b"],
  ["WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n", "i"],
  [
    "WITH RECURSIVE n AS (SELECT 1 AS i, 1 AS j UNION ALL SELECT i + 1, NULL FROM n WHERE i < 3) SELECT i, j FROM n",
    "i j?",
  ],
  [
    "WITH RECURSIVE n AS (SELECT 1 AS i, 0 AS j UNION ALL SELECT i + 1, nullif(j, 0) FROM n WHERE i < 3) SELECT j FROM n",
    "j?",
  ],
  ["SELECT a FROM t UNION SELECT b FROM t", "a?"],
  ["SELECT a FROM t UNION ALL SELECT c FROM u", "a"],
  ["SELECT b FROM t INTERSECT SELECT a FROM t", "b"],
  ["SELECT b FROM t EXCEPT SELECT a FROM t", "b?"],
  ["SELECT x FROM (VALUES (1), (2)) v (x)", "x"],
  ["SELECT x FROM (VALUES (1), (NULL)) v (x)", "x?"],
  ["SELECT id, c FROM joined", "id c?"],
  ["SELECT id, a, b FROM plain", "id a b?"],
  ["SELECT plain.a FROM u LEFT JOIN plain ON plain.id = u.t_id", "a?"],
  // Aggregates and windows.
  ["SELECT count(*) AS n, max(a) AS m, array_agg(a) AS l FROM e JOIN t USING (id)", "n m? l?"],
  ["SELECT b, count(*) AS n, max(a) AS m, min(b) AS l FROM t GROUP BY b", "b? n m l?"],
  ["SELECT a, max(a) FILTER (WHERE b > 0) AS m FROM t GROUP BY a", "a m?"],
  ["SELECT a, count(*) AS n FROM t GROUP BY ROLLUP (a)", "a? n"],
  ["SELECT a, sum(a) AS s FROM t GROUP BY GROUPING SETS ((a), ())", "a? s?"],
  ["SELECT id, name FROM t GROUP BY id", "id name"],
  ["SELECT json_object_agg(name, b) AS o FROM t GROUP BY a", "o"],
  ["SELECT row_number() OVER (ORDER BY a) AS n, lag(a) OVER (ORDER BY a) AS l FROM t", "n l?"],
  ["SELECT sum(a) OVER (ORDER BY a ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS s FROM t", "s?"],
  ["SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY b) AS p FROM t GROUP BY a", "p?"],
  // Queries instead of a value.
  ["SELECT (SELECT c FROM u WHERE u.t_id = t.id) AS c FROM t", "c?"],
  ["SELECT (SELECT count(*) FROM u WHERE u.t_id = t.id) AS n FROM t", "n"],
  ["SELECT (SELECT count(*) FROM u GROUP BY t_id HAVING count(*) > 5) AS n FROM t", "n?"],
  ["SELECT (SELECT count(*) FROM u LIMIT 0) AS n FROM t", "n?"],
  ["SELECT (SELECT max(c) FROM u WHERE false) AS m FROM t", "m?"],
  ["SELECT (SELECT 1) AS one, (SELECT 1 WHERE false) AS none", "one none?"],
  ["SELECT ARRAY(SELECT id FROM e) AS ids, EXISTS (SELECT FROM e) AS found", "ids found"],
  ["SELECT a IN (SELECT t_id FROM u) AS found FROM t", "found?"],
  // Functions, operators, words.
  ["SELECT nullif(a, 1) AS a FROM t", "a?"],
  ["SELECT CASE WHEN a = 1 THEN 1 END AS x, CASE WHEN a = 1 THEN 1 ELSE 2 END AS y FROM t", "x? y"],
  ["SELECT doc -> 'none' AS x, doc ->> 'k' AS y, doc || '{}' AS z FROM t", "x? y? z"],
  ["SELECT (doc -> 'k')::int AS k FROM t WHERE (doc -> 'k') IS NOT NULL", "k?"],
  ["SELECT tags[1] AS tag, array_length(tags, 1) AS n, cardinality(tags) AS m FROM t", "tag? n? m"],
  ["SELECT a = ANY (ARRAY[a, b]) AS found, a IN (1, 2) AS known FROM t", "found? known"],
  ["SELECT 'y' = ANY (tags) AS found FROM t", "found?"],
  ["SELECT substring(name FROM 'x(.)') AS x, substring(name FROM 2) AS y FROM t", "x? y"],
  ["SELECT to_char(at, 'YYYY') AS year, extract(day FROM at) AS day FROM t", "year? day?"],
  ["SELECT lower(name) AS name, lower(int4range(NULL, 5)) AS low FROM t", "name low?"],
  ["SELECT concat(b, 'x') AS x, b || 'x' AS y FROM t", "x y?"],
  ["SELECT greatest(a, b) AS x, greatest(b, NULL) AS y FROM t", "x y?"],
  ["SELECT jsonb_build_object('b', b) AS o, to_jsonb(b) AS j FROM t", "o j?"],
  ["SELECT maybe(a) AS m FROM t", "m?"],
  ["SELECT b IS NULL AS x, b IS DISTINCT FROM a AS y, (b > 1) IS TRUE AS z FROM t", "x y z"],
  ["SELECT (b > 1) AND isGood AS x FROM t", "x?"],
  ["SELECT b::text AS b, a::text AS a, a::bigint AS c FROM t", "b? a c"],
  [
    "SELECT now() AS now, current_date AS today, current_setting('none.such', true) AS none",
    "now today none?",
  ],
  ["SELECT regexp_match(name, 'x') AS m, array_position(tags, 'z') AS p FROM t", "m? p?"],
  // Rows out of functions.
  ["SELECT n FROM generate_series(1, 3) n", "n"],
  ["SELECT x, n FROM unnest($1::int[]) WITH ORDINALITY AS v (x, n)", "x n", [[1, 2]]],
  ["SELECT x, y FROM unnest($1::int[], $2::int[]) AS v (x, y)", "x? y?", [[1, 2], [1]]],
  ["SELECT tag FROM t, unnest(tags) tag", "tag?"],
  ["SELECT x FROM jsonb_array_elements_text('[null]') x", "x?"],
  ["SELECT unnest(ARRAY[1, 2]) AS x, generate_series(1, 3) AS y", "x? y?"],
  // Parameters.
  ["SELECT $1::int AS x", "x", [1]],
  ["SELECT b FROM t WHERE b = $1", "b", [2]],
];
