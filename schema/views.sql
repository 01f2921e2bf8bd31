-- SPDX-License-Identifier: BSD-3-Clause
-- views.sql - what commands and users read. SQL sums, C prints. Views are dropped and made again if
-- this text has changed, so that a view can be added or improved without a new version.
--
-- Queries ask views for one experiment of many. SQLite applies that condition inside a view that
-- sums, and inside one that ranks within an experiment, but not inside a sum of sums. So no view
-- sums what another one has summed.
--
-- overhead_by_pu, overhead_by_node and overhead_by_source are for users of `sis-analyze sql` alone:
-- commands add up the rows themselves, or restrict them to the regions that the user named.

-- Each leaf with each node of the tree to which it belongs: itself, its parent, and so on to
-- OTOTAL; UNMEASURED only to itself. UNION ends even if in a damaged table a node is its own
-- ancestor.
CREATE VIEW overhead_ancestor AS
WITH RECURSIVE up(leaf, name) AS (
  SELECT name, name FROM overhead_kind WHERE is_leaf = 1
  UNION
  SELECT up.leaf, k.parent FROM up JOIN overhead_kind k ON k.name = up.name
  WHERE k.parent IS NOT NULL)
SELECT leaf, name FROM up;

-- Leaves per processing unit, nanoseconds.
CREATE VIEW overhead_leaf_by_pu AS
SELECT n.experiment, u.id AS pu, u.process, u.thread, o.leaf, sum(o.ns) AS ns
FROM drg_node n JOIN overhead o ON o.drg_node = n.id JOIN processing_unit u ON u.id = o.pu
GROUP BY n.experiment, u.id, o.leaf;

-- Every node of the tree per processing unit, nanoseconds.
CREATE VIEW overhead_by_pu AS
SELECT n.experiment, u.id AS pu, u.process, u.thread, a.name AS overhead, sum(o.ns) AS ns
FROM drg_node n JOIN overhead o ON o.drg_node = n.id JOIN processing_unit u ON u.id = o.pu
JOIN overhead_ancestor a ON a.leaf = o.leaf
GROUP BY n.experiment, u.id, u.process, u.thread, a.name;

-- Every node of the tree per experiment: summed over its units, not yet divided by p.
CREATE VIEW overhead_tree AS
SELECT n.experiment, a.name AS overhead, sum(o.ns) AS ns
FROM drg_node n JOIN overhead o ON o.drg_node = n.id JOIN overhead_ancestor a ON a.leaf = o.leaf
GROUP BY n.experiment, a.name;

-- Leaves per node of the call graph, summed over units.
CREATE VIEW overhead_by_node AS
SELECT n.experiment, n.id AS drg_node, n.region, n.source_node, o.leaf, sum(o.ns) AS ns
FROM drg_node n JOIN overhead o ON o.drg_node = n.id
GROUP BY n.experiment, n.id, o.leaf;

-- Leaves per region of the source. Nodes that the runtime adds below a region count for it.
CREATE VIEW overhead_by_source AS
SELECT n.experiment, s.region, o.leaf, sum(o.ns) AS ns
FROM drg_node n JOIN overhead o ON o.drg_node = n.id JOIN drg_node s ON s.id = n.source_node
GROUP BY n.experiment, s.region, o.leaf;

-- The causes of waits in a region of the source: the region in which a culprit spent more time, and
-- the processing unit with the largest part.
CREATE VIEW wait_cause AS
WITH part AS (
  SELECT n.experiment, s.region, d.leaf, c.region AS cause, d.culprit AS pu, sum(d.ns) AS ns,
         sum(d.passed_ns) AS passed_ns, sum(d.indirect_ns) AS indirect_ns,
         sum(d.wrong_order_ns) AS wrong_order_ns, sum(d.estimated_ns) AS estimated_ns,
         sum(d.no_processor_ns) AS no_processor_ns
  FROM drg_node n JOIN delay d ON d.drg_node = n.id JOIN drg_node s ON s.id = n.source_node
  JOIN drg_node m ON m.id = d.culprit_node JOIN drg_node c ON c.id = m.source_node
  GROUP BY n.experiment, s.region, d.leaf, c.region, d.culprit),
ranked AS (
  SELECT experiment, region, leaf, cause, pu, ns + indirect_ns AS most_ns,
         count(*) OVER site AS units, sum(ns) OVER site AS ns,
         sum(passed_ns) OVER site AS passed_ns, sum(indirect_ns) OVER site AS indirect_ns,
         sum(wrong_order_ns) OVER site AS wrong_order_ns,
         sum(estimated_ns) OVER site AS estimated_ns,
         sum(no_processor_ns) OVER site AS no_processor_ns,
         row_number() OVER (PARTITION BY experiment, region, leaf, cause
                            ORDER BY ns + indirect_ns DESC, pu) AS place
  FROM part WINDOW site AS (PARTITION BY experiment, region, leaf, cause))
SELECT experiment, region, leaf, cause, ns, passed_ns, indirect_ns, wrong_order_ns, estimated_ns,
       no_processor_ns, units, pu, most_ns
FROM ranked WHERE place = 1;

-- A code region with its file.
-- place: where the region is, for users: its position in the source, or else the program or library
-- that has it.
CREATE VIEW region AS
SELECT r.id, r.key, r.name, r.type, r.unit, f.path AS file, f.directory,
       r.line_start, r.column_start, r.line_end, r.column_end, r.metrics, f.version, f.checksum,
       r.tokens, r.build,
       CASE WHEN r.line_start > 0 THEN f.path || ':' || r.line_start
            WHEN f.path <> '' THEN f.path ELSE '-' END AS place
FROM code_region r JOIN source_file f ON f.id = r.source_file;

-- Summaries with their node, region and processing unit.
CREATE VIEW summary AS
SELECT n.experiment, s.id, s.drg_node, n.path, n.depth, n.nested, n.region AS region_id,
       r.name AS region, r.type, r.unit, r.file, r.line_start, r.line_end, u.process, u.thread,
       s.pu, s.calls, s.subs, s.incl_ns, s.excl_ns, s.useful_ns, s.min_ns, s.max_ns, s.is_open,
       r.place
FROM region_summary s
JOIN drg_node n ON n.id = s.drg_node
JOIN region r ON r.id = n.region
JOIN processing_unit u ON u.id = s.pu;

-- Further metrics of a summary with their unit; an event that only PAPI knows is a count.
CREATE VIEW metric_value AS
SELECT m.region_summary, m.name, m.value, m.nested, coalesce(k.unit, 'count') AS unit
FROM metric m LEFT JOIN metric_kind k ON k.name = m.name;

-- Experiments with program, number of processing units and sums.
CREATE VIEW experiment_sum AS
SELECT e.id, e.name, a.name AS application, e.role, e.p, e.t_p_ns, e.started_ns, e.complete,
       (SELECT sum(useful_ns) FROM processing_unit WHERE experiment = e.id) AS useful_ns,
       (SELECT sum(o.ns) FROM drg_node n JOIN overhead o ON o.drg_node = n.id
        WHERE n.experiment = e.id AND o.leaf <> 'UNMEASURED') AS overhead_ns,
       (SELECT sum(o.ns) FROM drg_node n JOIN overhead o ON o.drg_node = n.id
        WHERE n.experiment = e.id AND o.leaf = 'UNMEASURED') AS unmeasured_ns
FROM experiment e JOIN version v ON v.id = e.version JOIN application a ON a.id = v.application;

-- The load of nodes between two samples: the busy part of the processors, and rates per second.
CREATE VIEW sensor_rate AS
WITH step AS (
  SELECT *, lag(time_ns) OVER w AS t0, lag(cpu_busy) OVER w AS busy0, lag(cpu_all) OVER w AS all0,
         lag(faults) OVER w AS faults0, lag(major_faults) OVER w AS major0,
         lag(switches) OVER w AS switches0, lag(received) OVER w AS received0,
         lag(sent) OVER w AS sent0
  FROM sensor WINDOW w AS (PARTITION BY experiment, node ORDER BY time_ns))
SELECT s.experiment, m.host AS node, s.t0 AS from_ns, s.time_ns AS to_ns,
       CASE WHEN s.cpu_all = s.all0 THEN NULL
            WHEN s.cpu_busy < s.busy0 THEN 0.0 -- the kernel may lower its counts
            WHEN s.cpu_busy - s.busy0 > s.cpu_all - s.all0 THEN 1.0
            ELSE 1.0 * (s.cpu_busy - s.busy0) / nullif(s.cpu_all - s.all0, 0) END AS cpu,
       s.running, s.memory_used,
       (s.faults - s.faults0) * 1e9 / (s.time_ns - s.t0) AS faults,
       (s.major_faults - s.major0) * 1e9 / (s.time_ns - s.t0) AS major_faults,
       (s.switches - s.switches0) * 1e9 / (s.time_ns - s.t0) AS switches,
       (s.received - s.received0) * 1e9 / (s.time_ns - s.t0) AS received,
       (s.sent - s.sent0) * 1e9 / (s.time_ns - s.t0) AS sent
FROM step s JOIN node n ON n.id = s.node JOIN physical_machine m ON m.id = n.physical_machine
WHERE s.t0 IS NOT NULL;
