-- SPDX-License-Identifier: BSD-3-Clause
-- Version 11. What measuring costs on a machine. Older repositories have none.
CREATE TABLE calibration (             -- what measuring cost on a machine, when nothing else ran
  id INTEGER PRIMARY KEY,              -- number
  physical_machine INTEGER NOT NULL REFERENCES physical_machine(id) ON DELETE CASCADE, -- which
  run_id TEXT NOT NULL UNIQUE,         -- the same calibration is never merged twice
  started_ns INTEGER NOT NULL,         -- since 1970
  processor TEXT NOT NULL,             -- its name
  runtime TEXT NOT NULL,               -- version of the runtime
  calls INTEGER NOT NULL,              -- calls of each process; the first half is left out
  call_ns INTEGER NOT NULL,            -- time of a call without what is measured
  processes INTEGER NOT NULL           -- fresh processes of each kind
);

CREATE TABLE calibration_setting (     -- processors that a calibration was restricted to
  calibration INTEGER NOT NULL REFERENCES calibration(id) ON DELETE CASCADE, -- of this one
  name TEXT NOT NULL,                  -- S1, S2, A1 ... A5
  place TEXT NOT NULL,                 -- what the processors have in common
  writer TEXT NOT NULL,                -- sync or async: how the trace is written
  cpus TEXT,                           -- their numbers, as 0-3,8; NULL: the machine lacks them
  missing TEXT,                        -- what it lacks; NULL: nothing
  PRIMARY KEY (calibration, name)
) WITHOUT ROWID;

CREATE TABLE calibration_time (        -- a process of a calibration
  calibration INTEGER NOT NULL REFERENCES calibration(id) ON DELETE CASCADE, -- of this one
  setting TEXT NOT NULL,               -- name of its setting
  kernel TEXT NOT NULL,                -- what was called: region, a routine or construct, or a
                                       -- region with this metric
  state TEXT NOT NULL,                 -- plain (not measured), off, excluded, profile, inside,
                                       -- buffered, written
  depth INTEGER NOT NULL,              -- regions that a call entered
  process INTEGER NOT NULL,            -- number of the process, from 0
  mean_ns REAL NOT NULL,               -- of a call, without call_ns
  median_ns REAL NOT NULL,             -- likewise
  PRIMARY KEY (calibration, setting, kernel, state, depth, process)
) WITHOUT ROWID;

CREATE TABLE calibration_writer (      -- a process that traced as fast as it could
  calibration INTEGER NOT NULL REFERENCES calibration(id) ON DELETE CASCADE, -- of this one
  setting TEXT NOT NULL,               -- name of its setting
  process INTEGER NOT NULL,            -- number of the process, from 0
  ns INTEGER NOT NULL,                 -- how long it did so
  events INTEGER NOT NULL,             -- that were written
  dropped INTEGER NOT NULL,            -- that were not, because the writer was behind
  raw_bytes INTEGER NOT NULL,          -- of the written events
  bytes INTEGER NOT NULL,              -- of them as written, perhaps compressed
  PRIMARY KEY (calibration, setting, process)
) WITHOUT ROWID;
CREATE INDEX index_calibration_by_machine ON calibration(physical_machine);
