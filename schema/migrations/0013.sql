-- SPDX-License-Identifier: BSD-3-Clause
-- Version 13. The variables that samples and overheads belong to. Older experiments have none.
CREATE TABLE sampling (                -- how the stacks of an experiment were sampled
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  method TEXT NOT NULL,                -- what interrupts a thread
  metric TEXT NOT NULL,                -- what is counted between two samples
  rate INTEGER NOT NULL,               -- samples per second, or events per sample
  lost INTEGER NOT NULL,               -- samples that found no room
  samples INTEGER NOT NULL,            -- all others
  unknown INTEGER NOT NULL,            -- samples whose flow enters a routine without a body and
                                       -- without a row of routines.txt
  coarse INTEGER NOT NULL,             -- functions with so much memory that parts of it are one
  unit INTEGER NOT NULL,               -- parts of a sample that table blame counts
  PRIMARY KEY (experiment)
) WITHOUT ROWID;

CREATE TABLE sample_share (            -- how exactly samples were placed at statements
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  is_reason INTEGER NOT NULL,          -- 1: why samples were not placed; a part of key 'nothing'
  place INTEGER NOT NULL,              -- order, from exact to nothing
  key TEXT NOT NULL,                   -- statement, entry_exit ... nothing; no_debug ...
  text TEXT NOT NULL,                  -- the same in words
  samples INTEGER NOT NULL,            -- number of samples
  weight INTEGER NOT NULL,             -- their nanoseconds or events
  PRIMARY KEY (experiment, is_reason, place)
) WITHOUT ROWID;

CREATE TABLE function_samples (        -- samples of a processing unit in a function
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  pu INTEGER NOT NULL,                 -- the processing unit
  function TEXT NOT NULL,              -- its name
  file TEXT NOT NULL,                  -- where it is defined; '' if unknown
  line INTEGER NOT NULL,               -- likewise
  own INTEGER NOT NULL,                -- samples in it, or in libraries called from it
  inclusive INTEGER NOT NULL,          -- with the functions that it calls
  PRIMARY KEY (experiment, pu, function, file, line)
) WITHOUT ROWID;

CREATE TABLE blame_point (             -- a call path whose variables the samples below belong to
  id INTEGER PRIMARY KEY,              -- number
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  parent INTEGER REFERENCES blame_point(id) ON DELETE CASCADE, -- the caller's; NULL: a thread's
                                       -- outermost function
  function TEXT NOT NULL,              -- the innermost function
  file TEXT NOT NULL,                  -- where it is defined; '' if unknown
  line INTEGER NOT NULL,               -- likewise
  path TEXT NOT NULL,                  -- functions from the outermost one down, joined by '/'
  samples INTEGER NOT NULL,            -- in it or below it
  is_chosen INTEGER NOT NULL,          -- 1: it has #pragma sis blame
  is_top INTEGER NOT NULL,             -- 1: some blame cannot rise above it
  is_cut INTEGER NOT NULL              -- 1: it may have callers that are not known
);

CREATE TABLE variable (                -- a variable of a blame point, or one of its other rows
  id INTEGER PRIMARY KEY,              -- number
  blame_point INTEGER NOT NULL REFERENCES blame_point(id) ON DELETE CASCADE, -- of this one
  kind TEXT NOT NULL,                  -- local, parameter, global, static, heap, result (of the
                                       -- function); output, other (no variable)
  name TEXT NOT NULL,                  -- as the function names it
  field TEXT NOT NULL,                 -- part of the variable, which has a row of its own, too;
                                       -- '': all of it
  type TEXT NOT NULL,                  -- '' if unknown
  file TEXT NOT NULL,                  -- where it is declared or allocated; '' if unknown
  line INTEGER NOT NULL                -- likewise
);

CREATE TABLE blame (                   -- samples of a processing unit that belong to a variable, in
                                       -- parts of a sample (sampling.unit)
  variable INTEGER NOT NULL REFERENCES variable(id) ON DELETE CASCADE, -- the variable
  pu INTEGER NOT NULL,                 -- the processing unit
  is_blocked INTEGER NOT NULL,         -- 1: the thread was blocked
  routine TEXT NOT NULL,               -- library routine in which they were; ''
  explicit INTEGER NOT NULL,           -- inclusive, by data flow alone
  implicit INTEGER NOT NULL,           -- inclusive, the others. A sample may belong to several
                                       -- variables
  parts INTEGER NOT NULL,              -- partitioned: the sum over the variables of a point that
                                       -- are no fields, with output and other, is its samples
  base INTEGER NOT NULL,               -- of samples at statements that themselves write it
  weight INTEGER NOT NULL,             -- nanoseconds or events of `parts`
  inclusive_weight INTEGER NOT NULL,   -- the same of explicit + implicit
  PRIMARY KEY (variable, pu, is_blocked, routine)
) WITHOUT ROWID;

CREATE TABLE variable_overhead (       -- overhead for a variable: exact, not sampled
  variable INTEGER NOT NULL REFERENCES variable(id) ON DELETE CASCADE, -- the variable
  pu INTEGER NOT NULL,                 -- the processing unit
  routine TEXT NOT NULL,               -- that was called, or construct
  leaf TEXT NOT NULL REFERENCES overhead_kind(name), -- on which leaf it is booked
  ns INTEGER NOT NULL,                 -- the time; that of a call is divided among its variables
  bytes INTEGER NOT NULL,              -- that the calls transferred
  calls INTEGER NOT NULL,              -- number of calls
  PRIMARY KEY (variable, pu, routine, leaf)
) WITHOUT ROWID;
CREATE INDEX index_blame_point_by_experiment ON blame_point(experiment);
CREATE INDEX index_blame_point_by_parent ON blame_point(parent);
CREATE INDEX index_variable_by_point ON variable(blame_point);
