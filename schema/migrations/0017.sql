-- SPDX-License-Identifier: BSD-3-Clause
-- Version 17. What rules, commands and the program switched off. Older experiments have none.
CREATE TABLE switched_off (            -- what was off for a part of a run, for each cause
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  process INTEGER NOT NULL,            -- the process
  number INTEGER NOT NULL,             -- in the process, from 0
  what TEXT NOT NULL,                  -- region; counters (of a region); trace; thread
  region INTEGER,                      -- code_region; NULL: not of a region
  thread INTEGER,                      -- which one was not measured; NULL: not of a thread
  cause TEXT NOT NULL,                 -- rule, command (of sis-analyze control), MPI_Pcontrol,
                                       -- SIS_PAUSE, measure disable, other rules
  place TEXT NOT NULL,                 -- of a rule or command: FILE:LINE; else ''
  action TEXT NOT NULL,                -- of a rule or command: what it said; else ''
  times INTEGER NOT NULL,              -- how often it was switched off
  first_ns INTEGER NOT NULL,           -- when first, after the experiment's start
  last_ns INTEGER NOT NULL,            -- when last
  on_ns INTEGER,                       -- when it was on again after that; NULL: never
  off_ns INTEGER NOT NULL,             -- all the time while it was off
  PRIMARY KEY (experiment, process, number)
) WITHOUT ROWID;
CREATE INDEX index_switched_off_by_region ON switched_off(experiment, process, region);
