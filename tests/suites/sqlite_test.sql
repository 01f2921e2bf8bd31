-- SPDX-License-Identifier: BSD-3-Clause
-- What projects.sh has SQLite's shell compute: joins, indexes, triggers, views, windows, recursion, JSON,
-- full text where it is, transactions, errors that are reported and survived.
.headers on
CREATE TABLE n(i INTEGER PRIMARY KEY, t TEXT, r REAL);
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 3000)
	INSERT INTO n SELECT i, printf('%05d', i * 7919 % 3001), i / 7.0 FROM c;
CREATE INDEX n_t ON n(t);
SELECT count(*), sum(i), min(t), max(t), round(avg(r), 6), total(i % 3) FROM n;
SELECT a.i, b.i FROM n a JOIN n b ON a.t = printf('%05d', b.i) WHERE b.i < 6 ORDER BY b.i;
SELECT i % 7 AS g, count(*), group_concat(DISTINCT i % 3) FROM n GROUP BY g HAVING g > 2 ORDER BY g DESC;
SELECT i, rank() OVER w, sum(i) OVER (w ROWS 2 PRECEDING), lag(t, 1, '-') OVER w FROM n WINDOW w AS (PARTITION BY i % 2 ORDER BY t) LIMIT 6;
CREATE VIEW v AS SELECT t, length(t) l FROM n WHERE t LIKE '0%7' OR t GLOB '*99';
SELECT count(*), max(l) FROM v;
CREATE TABLE log(what);
CREATE TRIGGER tr AFTER UPDATE ON n WHEN new.r > 400 BEGIN INSERT INTO log VALUES (old.i || '>' || new.r); END;
UPDATE n SET r = r * 1.5 WHERE i > 1990 AND i < 2010;
SELECT count(*), min(what) FROM log;
BEGIN; DELETE FROM n WHERE i % 2; SAVEPOINT s; DELETE FROM n; ROLLBACK TO s; SELECT count(*) FROM n; ROLLBACK;
SELECT count(*) FROM n;
INSERT INTO n(i) VALUES (1);
INSERT INTO n(i, t) VALUES (1, 'new') ON CONFLICT(i) DO UPDATE SET t = excluded.t RETURNING *;
SELECT nothing FROM n;
SELECT 1 UNION SELECT 2 EXCEPT SELECT 1 INTERSECT SELECT 2;
SELECT json_extract('{"a":[1,2,{"b":"c"}]}', '$.a[2].b'), key, value FROM json_each('[10,20]');
SELECT quote(x'00ff'), hex('abc'), upper('abc'), substr('hello', -3, 2), replace('aXbX', 'X', '--'), instr('hello', 'l'), typeof(1.0), 7 / 2, -7 % 3, 1e300 * 1e10, 9223372036854775807 + 1;
SELECT date('2000-02-28', '+2 days'), julianday('2000-01-01'), strftime('%j %W', '2024-12-31');
WITH RECURSIVE q(n, s) AS (SELECT 0, '' UNION ALL SELECT n + 1, s || char(65 + n) FROM q WHERE n < 10) SELECT s FROM q ORDER BY n DESC LIMIT 1;
EXPLAIN QUERY PLAN SELECT * FROM n WHERE t = '00001';
PRAGMA integrity_check;
VACUUM;
ANALYZE;
SELECT CASE WHEN EXISTS (SELECT 1 FROM n WHERE t = 'new') THEN 'there' ELSE 'gone' END, coalesce(NULL, (SELECT max(i) FROM n));
.mode csv
SELECT * FROM n WHERE i BETWEEN 2 AND 4;
.dump log
