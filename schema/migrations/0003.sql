-- SPDX-License-Identifier: BSD-3-Clause
-- Version 3. What the run had taken on an ideal network, and the path that its length is due to. Older experiments have neither.
ALTER TABLE experiment ADD COLUMN ideal_ns INTEGER;
ALTER TABLE experiment ADD COLUMN critical_estimated_ns INTEGER;
CREATE TABLE critical_path (           -- the chain of work and transfers that the run's length is due to
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where
  pu INTEGER NOT NULL REFERENCES processing_unit(id) ON DELETE CASCADE, -- who was on the path there
  ns INTEGER NOT NULL,                 -- how long; all of an experiment's together are t_p_ns
  PRIMARY KEY (drg_node, pu)
) WITHOUT ROWID;
CREATE INDEX index_critical_path_by_pu ON critical_path(pu);
-- The load of nodes.
CREATE TABLE sensor (                  -- a node at a moment, as its kernel sees it; NULL: not told there
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- during which
  node INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE, -- which one
  time_ns INTEGER NOT NULL,            -- after the experiment's start
  cpu_busy INTEGER,                    -- clock ticks since the kernel's start, of all processors together ...
  cpu_all INTEGER,                     -- ... and with the idle ones
  running INTEGER,                     -- processes that ran, or could have
  memory_used INTEGER,                 -- bytes
  faults INTEGER,                      -- page faults since the kernel's start
  major_faults INTEGER,                -- those with input
  switches INTEGER,                    -- context switches since then
  received INTEGER,                    -- bytes from the network since then
  sent INTEGER,                        -- bytes to it
  PRIMARY KEY (experiment, node, time_ns)
) WITHOUT ROWID;
