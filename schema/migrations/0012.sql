-- SPDX-License-Identifier: BSD-3-Clause
-- Version 12. Errors of times that are estimates; what was measured less to keep the overhead low.
CREATE TABLE estimate (                -- times of nodes that are estimates; the others are exact
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- in which node
  pu INTEGER NOT NULL,                 -- of which processing unit
  incl_error_ns INTEGER NOT NULL,      -- the true inclusive time is this near with 95 % ...
  excl_error_ns INTEGER NOT NULL,      -- ... and the exclusive time
  PRIMARY KEY (drg_node, pu)
) WITHOUT ROWID;
CREATE TABLE turned_down (             -- from when on a process measured a region less, or again
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  process INTEGER NOT NULL,            -- the process
  number INTEGER NOT NULL,             -- of the decision in the process, from 0
  region INTEGER NOT NULL,             -- code_region
  rung TEXT NOT NULL,                  -- full, fraction (one call in 16 is timed), sampled, off
  time_ns INTEGER NOT NULL,            -- after the experiment's start
  PRIMARY KEY (experiment, process, number)
) WITHOUT ROWID;
