-- SPDX-License-Identifier: BSD-3-Clause
-- repository.sql - the performance data repository, after Figure 5 of the SCALEA paper:
-- applications with their versions and source, experiments with the machine that they ran on, and
-- what was measured.
--
--   application -< version -< source_file -< code_region
--                     |                          |
--                 experiment ------------- drg_node -< region_summary -< metric
--                     |                          |                `-- user_value
--                     |`- blame_point -< variable -< blame, variable_overhead
--                     |`- memory -< memory_use
--                     |                          `-- overhead, critical_path, delay, wait_pair,
--                     |                              message >- communicator
--          virtual_machine -< node -< processing_unit
--                     |         `- physical_machine -< calibration -< calibration_time
--                  network
--
-- Its version is in repository_version.h. Times are nanoseconds, integers. Views are in views.sql
-- and can be made again at any time.
--
-- It is also the one definition of exports: experiment_schemas.awk makes the schemas of XML and
-- JSON of it, and what the analyzer knows of the columns. Each table and each column has a comment.
-- Some words of it have a meaning, too:
--   -> TABLE      the column has the number of a row of TABLE. SQLite does not check that, because
--                 the row is removed with that of another table
--   1: ...        at its beginning: the column is 1 or 0
--   since 1970    a time that is a date
--   -1, negative  the column may be negative, as times may. Other integers are not
-- An export has one row of: application, version, network, virtual_machine, experiment
-- An export has rows of: overhead_kind, physical_machine, node, processing_unit, drg_node
-- An export has no row of: derived

-- These tables have the same content for the whole database.
CREATE TABLE derived (                 -- one row: the state of views and of the two tables below
  checksum INTEGER NOT NULL            -- of views.sql and these tables; if it differs, all are
                                       -- made again
);

CREATE TABLE overhead_kind (           -- the overhead tree, from overheads.def
  name TEXT PRIMARY KEY,               -- mnemonic
  parent TEXT,                         -- mnemonic of the inner node it belongs to; NULL: the root
  place INTEGER NOT NULL,              -- order of the rows of overheads.def, parents first
  depth INTEGER NOT NULL,              -- steps from the root
  is_leaf INTEGER NOT NULL,            -- 1: time is booked on it; 0: the sum of its children
  description TEXT NOT NULL            -- one line
);

CREATE TABLE metric_kind (             -- the metrics, from metrics.def
  name TEXT PRIMARY KEY,               -- mnemonic
  unit TEXT NOT NULL,                  -- ns, count, bytes or KiB
  description TEXT NOT NULL            -- one line
);

CREATE TABLE application (             -- a program, in all its versions
  id INTEGER PRIMARY KEY,              -- number
  name TEXT NOT NULL UNIQUE            -- base name of the executable
);

CREATE TABLE version (                 -- one state of a program's sources and build
  id INTEGER PRIMARY KEY,              -- number
  application INTEGER NOT NULL REFERENCES application(id) ON DELETE CASCADE, -- its program
  checksum TEXT NOT NULL,              -- of its translation units' checksums, compilers and flags
  compiler TEXT NOT NULL,              -- command of the compiler
  flags TEXT NOT NULL,                 -- its options
  sisc TEXT NOT NULL,                  -- version of the instrumenter
  UNIQUE (application, checksum)
);

CREATE TABLE source_file (             -- a file with regions
  id INTEGER PRIMARY KEY,              -- number
  version INTEGER NOT NULL REFERENCES version(id) ON DELETE CASCADE, -- its version
  path TEXT NOT NULL,                  -- relative to `directory`, or absolute; '' for regions
                                       -- without source
  directory TEXT NOT NULL,             -- around the build's working directories; '' if not known
                                       -- or not needed
  checksum TEXT NOT NULL DEFAULT '',   -- of its text, 16 hexadecimal digits; '' if unknown
  language TEXT NOT NULL DEFAULT '',   -- C, C++: as which sisc compiled it; '' if sisc did not
  UNIQUE (version, path)
);

CREATE TABLE code_region (             -- a region of the source, from a program to one statement
  id INTEGER PRIMARY KEY,              -- number
  source_file INTEGER NOT NULL REFERENCES source_file(id) ON DELETE CASCADE, -- its file
  key TEXT NOT NULL,                   -- identity across builds: file:unit:type:name:ordinal
  name TEXT NOT NULL,                  -- the user's name, or construct and line
  type TEXT NOT NULL,                  -- mnemonic of regions.def
  unit TEXT NOT NULL,                  -- function around it, '' if unknown
  line_start INTEGER NOT NULL,         -- position of its first character; 0: not in the source
  column_start INTEGER NOT NULL,       -- likewise
  line_end INTEGER NOT NULL,           -- position of its last character
  column_end INTEGER NOT NULL,         -- likewise
  metrics TEXT NOT NULL,               -- metrics asked for, comma-separated; '': the default ones
  tokens TEXT,                         -- checksum of its function after preprocessing; if it uses
                                       -- functions of its unit, then, after dots, of those that
                                       -- are not measured, and of all; NULL: not known
  build TEXT,                          -- compiler and flags that chose its code; NULL: not known
  UNIQUE (source_file, key)
);

CREATE TABLE network (                 -- what connects the nodes of a virtual machine
  id INTEGER PRIMARY KEY,              -- number
  name TEXT NOT NULL UNIQUE            -- 'shared memory' for one node, else that of the transport
);

CREATE TABLE physical_machine (        -- a computer
  id INTEGER PRIMARY KEY,              -- number
  host TEXT NOT NULL UNIQUE,           -- its name
  cores INTEGER NOT NULL,              -- processors online
  memory_bytes INTEGER NOT NULL        -- main memory
);

CREATE TABLE machine_fact (            -- another fact of a computer
  physical_machine INTEGER NOT NULL REFERENCES physical_machine(id) ON DELETE CASCADE, -- of this
  key TEXT NOT NULL,                   -- processor, caches, system ...
  value TEXT NOT NULL,                 -- as it was reported last
  PRIMARY KEY (physical_machine, key)
) WITHOUT ROWID;

CREATE TABLE virtual_machine (         -- the nodes on which one experiment ran
  id INTEGER PRIMARY KEY,              -- number
  network INTEGER NOT NULL REFERENCES network(id), -- connects its nodes
  nodes INTEGER NOT NULL CHECK (nodes > 0) -- number of nodes
);

CREATE TABLE node (                    -- a computer as part of one experiment
  id INTEGER PRIMARY KEY,              -- number
  virtual_machine INTEGER NOT NULL REFERENCES virtual_machine(id) ON DELETE CASCADE, -- its machine
  physical_machine INTEGER NOT NULL REFERENCES physical_machine(id) -- the computer
);

CREATE TABLE experiment (              -- one run
  id INTEGER PRIMARY KEY,              -- number
  name TEXT NOT NULL UNIQUE,           -- --name, or application and number
  version INTEGER NOT NULL REFERENCES version(id), -- what ran
  virtual_machine INTEGER NOT NULL REFERENCES virtual_machine(id), -- where
  run_id TEXT NOT NULL UNIQUE,         -- of the runtime: the same run is never imported twice
  directory TEXT NOT NULL,             -- from which it was imported, absolute
  program TEXT NOT NULL,               -- path of the executable
  command TEXT NOT NULL,               -- with arguments
  role TEXT NOT NULL CHECK (role IN ('seq', 'par1', 'par')), -- sequential, parallel on one unit,
                                       -- any other
  started_ns INTEGER NOT NULL,         -- since 1970
  p INTEGER NOT NULL CHECK (p > 0),    -- processing units
  t_p_ns INTEGER NOT NULL,             -- wall time, from the first start to the last end
  complete INTEGER NOT NULL,           -- 1: every process reached its end, and all is kept
  identity_error_ns INTEGER NOT NULL,  -- largest difference of a unit's wall time and the sum of
                                       -- its parts
  runtime TEXT NOT NULL,               -- version of the runtime
  imported_ns INTEGER NOT NULL,        -- when it was imported, since 1970
  ideal_ns INTEGER,                    -- wall time on an ideal network; NULL: not every message was
                                       -- matched
  critical_estimated_ns INTEGER,       -- part of the critical path whose region is an estimate;
                                       -- NULL: no path is known
  cause_error_ns INTEGER,              -- largest delay cost beyond what the culprit did; NULL: not
                                       -- checked
  not_recorded_ns INTEGER,             -- waits, over all units, of which no cause is recorded;
                                       -- NULL: not known
  clock TEXT                           -- of the probes of the first process, and what a read costs;
                                       -- NULL: not known
);

CREATE TABLE experiment_fact (         -- --set K=V of the user
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  key TEXT NOT NULL,                   -- name
  value TEXT NOT NULL,                 -- text
  PRIMARY KEY (experiment, key)
) WITHOUT ROWID;

CREATE TABLE warning (                 -- a warning of an experiment to its user
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  text TEXT NOT NULL,                  -- one line
  kind TEXT NOT NULL DEFAULT 'run'     -- run, sampled (times are estimates), counts (counts are
                                       -- estimates, or not complete), lost (a metric has no
                                       -- value), cost (of a counted leaf), causes (of waits, are
                                       -- estimates), filter (regions are turned off),
                                       -- processor (it is not known when there was none),
                                       -- lack (how it is known), variables (their blame is not
                                       -- certain), unmeasured (of older versions)
  CHECK (kind IN ('run', 'sampled', 'counts', 'lost', 'cost', 'causes', 'filter', 'processor',
    'lack', 'variables', 'unmeasured'))
);

CREATE TABLE processing_unit (         -- a slot of a process, which one thread at a time fills
  id INTEGER PRIMARY KEY,              -- number
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  node INTEGER NOT NULL REFERENCES node(id), -- on which it ran
  process INTEGER NOT NULL,            -- MPI rank, else order of the start
  thread INTEGER NOT NULL,             -- slot: 0 the initial thread
  pid INTEGER NOT NULL,                -- of the system
  start_ns INTEGER NOT NULL,           -- of its process, after the experiment's start
  end_ns INTEGER NOT NULL,             -- of its process, after the experiment's start
  state TEXT NOT NULL,                 -- how its process ended: ended, running, signal,
                                       -- aborted, exec, sandbox
  status INTEGER NOT NULL,             -- signal or exit status, by state; may be negative
  useful_ns INTEGER NOT NULL,          -- useful work
  affinity TEXT,                       -- processors that its process could use when it began, as
                                       -- 0-3,8; NULL: not known
  UNIQUE (experiment, process, thread)
);

CREATE TABLE drg_node (                -- a node of the call graph: a stack of regions
  id INTEGER PRIMARY KEY,              -- number
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  parent INTEGER REFERENCES drg_node(id) ON DELETE CASCADE, -- without the innermost region; NULL:
                                       -- this is the root
  region INTEGER NOT NULL REFERENCES code_region(id), -- the innermost region
  source_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- it, or its nearest
                                       -- ancestor that is a region of the source
  depth INTEGER NOT NULL,              -- number of regions above it in the stack
  nested INTEGER NOT NULL,             -- 1: its region is also above it in the stack (recursion)
  path TEXT NOT NULL                   -- names from the root's child down, joined by '/'
);

CREATE TABLE region_summary (          -- the activity of one processing unit in one node
  id INTEGER PRIMARY KEY,              -- number
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- the node
  pu INTEGER NOT NULL,                 -- -> processing_unit
  calls INTEGER NOT NULL,              -- activations begun
  subs INTEGER NOT NULL,               -- activations of children
  incl_ns INTEGER NOT NULL,            -- wall time, children included
  excl_ns INTEGER NOT NULL,            -- without children
  useful_ns INTEGER NOT NULL,          -- part of excl_ns that is useful work
  min_ns INTEGER,                      -- shortest activation; NULL: none ended
  max_ns INTEGER,                      -- longest activation
  is_open INTEGER NOT NULL,            -- 1: an activation had not ended, its time is partial
  UNIQUE (drg_node, pu)
);

CREATE TABLE metric (                  -- another metric of a summary
  region_summary INTEGER NOT NULL REFERENCES region_summary(id) ON DELETE CASCADE, -- the summary
  name TEXT NOT NULL,                  -- mnemonic of metric_kind, or PAPI(event)
  value INTEGER,                       -- total over the activations; may be negative; NULL: it
                                       -- could not be measured
  nested INTEGER NOT NULL,             -- 1: it is also part of the value of a node further up
  PRIMARY KEY (region_summary, name)
) WITHOUT ROWID;

CREATE TABLE user_value (              -- numbers that the program gave in the node (SIS_VALUE)
  region_summary INTEGER NOT NULL REFERENCES region_summary(id) ON DELETE CASCADE, -- the summary
  name TEXT NOT NULL,                  -- the program's name for them
  count INTEGER NOT NULL,              -- number of them
  sum REAL NOT NULL,                   -- sum of all
  min REAL NOT NULL,                   -- minimum
  max REAL NOT NULL,                   -- maximum
  PRIMARY KEY (region_summary, name)
) WITHOUT ROWID;

CREATE TABLE overhead (                -- a booking: time that was not useful work
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- in which node
  pu INTEGER NOT NULL,                 -- -> processing_unit
  leaf TEXT NOT NULL REFERENCES overhead_kind(name), -- on which leaf
  ns INTEGER NOT NULL,                 -- the time
  PRIMARY KEY (drg_node, pu, leaf)
) WITHOUT ROWID;

CREATE TABLE estimate (                -- times of nodes that are estimates; the others are exact
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- in which node
  pu INTEGER NOT NULL,                 -- -> processing_unit
  incl_error_ns INTEGER NOT NULL,      -- the true inclusive time is this near with 95 % ...
  excl_error_ns INTEGER NOT NULL,      -- ... and the exclusive time
  PRIMARY KEY (drg_node, pu)
) WITHOUT ROWID;

CREATE TABLE critical_path (           -- the chain of work and transfers that determines the length
                                       -- of the run
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- in which node
  pu INTEGER NOT NULL,                 -- -> processing_unit
  ns INTEGER NOT NULL,                 -- the time; the sum of an experiment is t_p_ns
  PRIMARY KEY (drg_node, pu)
) WITHOUT ROWID;

CREATE TABLE delay (                   -- delay costs: waits caused by a processing unit that spent
                                       -- more time in a node than those that waited
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where they waited
  leaf TEXT NOT NULL REFERENCES overhead_kind(name), -- on which the waits are booked
  culprit INTEGER NOT NULL,            -- -> processing_unit that was late
  culprit_node INTEGER NOT NULL,       -- -> drg_node where it spent more time; the root: not known
  ns INTEGER NOT NULL,                 -- the waits, summed over all that waited
  passed_ns INTEGER NOT NULL,          -- part of ns in which the culprit itself waited, so that the
                                       -- cause is further away
  indirect_ns INTEGER NOT NULL,        -- later waits of others that these waits caused
  wrong_order_ns INTEGER NOT NULL,     -- part of ns in which another message was there already, but
                                       -- was received later
  estimated_ns INTEGER NOT NULL,       -- part of ns whose culprit or culprit_node is an estimate
  no_processor_ns INTEGER NOT NULL DEFAULT 0, -- part of ns in which the culprit was ready to run,
                                       -- and had no processor
  PRIMARY KEY (drg_node, leaf, culprit, culprit_node)
) WITHOUT ROWID;

CREATE TABLE wait_pair (               -- delay costs by victim: which processing unit waited for
                                       -- which. The rows of a delay add up to its ns
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where it waited
  leaf TEXT NOT NULL REFERENCES overhead_kind(name), -- on which the waits are booked
  culprit INTEGER NOT NULL,            -- -> processing_unit that was late
  culprit_node INTEGER NOT NULL,       -- -> drg_node where it spent more time; the root: not known
  victim INTEGER NOT NULL,             -- -> processing_unit that waited; 0: several, each with a
                                       -- smaller part than any that has a row
  ns INTEGER NOT NULL,                 -- the waits
  PRIMARY KEY (drg_node, leaf, culprit, culprit_node, victim)
) WITHOUT ROWID;

CREATE TABLE communicator (            -- a group of processes that communicated
  id INTEGER PRIMARY KEY,              -- number
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  number INTEGER NOT NULL,             -- in the run; 0: all of its processes
  name TEXT NOT NULL,                  -- MPI_Comm_set_name; '': it has none
  size INTEGER NOT NULL,               -- processes; of an inter-communicator those of one side
  kind TEXT NOT NULL DEFAULT 'group',  -- group, inter (two groups), window (one-sided)
  UNIQUE (experiment, number)
);

CREATE TABLE message (                 -- the communication matrix: what a processing unit sent in a
                                       -- node, or got from a window
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- the node of the calls
  pu INTEGER NOT NULL,                 -- -> processing_unit
  communicator INTEGER NOT NULL,       -- -> communicator
  target INTEGER NOT NULL,             -- process that received it, for MPI_Get that it came from;
                                       -- -1: a collective operation
  calls INTEGER NOT NULL,              -- number of calls
  bytes INTEGER NOT NULL,              -- sum over the calls
  ns INTEGER NOT NULL,                 -- time in the calls
  receive_ns INTEGER NOT NULL,         -- time in the calls that received it, waits included
  estimated INTEGER NOT NULL,          -- 1: estimated from the first records, since not all were
                                       -- kept
  PRIMARY KEY (drg_node, pu, communicator, target)
) WITHOUT ROWID;

CREATE TABLE sensor (                  -- a sample of a node's load, as its kernel sees it;
                                       -- NULL: not known
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  node INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE, -- the node
  time_ns INTEGER NOT NULL,            -- after the experiment's start
  cpu_busy INTEGER,                    -- busy clock ticks since the kernel's start, all processors
  cpu_all INTEGER,                     -- the same with idle ticks
  running INTEGER,                     -- processes that ran or could run
  memory_used INTEGER,                 -- bytes
  faults INTEGER,                      -- page faults since the kernel's start
  major_faults INTEGER,                -- those with input
  switches INTEGER,                    -- context switches since the kernel's start
  received INTEGER,                    -- bytes from the network since the kernel's start
  sent INTEGER,                        -- bytes to the network since the kernel's start
  PRIMARY KEY (experiment, node, time_ns)
) WITHOUT ROWID;

CREATE TABLE turned_down (             -- from when on a process measured a region less, or again
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  process INTEGER NOT NULL,            -- the process
  number INTEGER NOT NULL,             -- of the decision in the process, from 0
  region INTEGER NOT NULL,             -- -> code_region
  rung TEXT NOT NULL,                  -- full, fraction (one call in 16 is timed), sampled, off
  time_ns INTEGER NOT NULL,            -- after the experiment's start
  PRIMARY KEY (experiment, process, number)
) WITHOUT ROWID;

CREATE TABLE switched_off (            -- what was off for a part of a run, for each cause
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  process INTEGER NOT NULL,            -- the process
  number INTEGER NOT NULL,             -- in the process, from 0
  what TEXT NOT NULL,                  -- region; counters (of a region); trace; thread
  region INTEGER,                      -- -> code_region; NULL: not of a region
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
  least_bytes INTEGER,                 -- smaller allocations are not in table memory; 0: none is.
                                       -- NULL: the run did not record which memory samples access
  memory_lost INTEGER,                 -- allocations that found no room; NULL likewise
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

CREATE TABLE line_samples (            -- samples of a processing unit at a line of the source
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  pu INTEGER NOT NULL,                 -- -> processing_unit
  file TEXT NOT NULL,                  -- as source_file.path; '' for samples without a line
  line INTEGER NOT NULL,               -- in the innermost function that has lines; 0: none
  samples INTEGER NOT NULL,            -- number of samples
  weight INTEGER NOT NULL,             -- their nanoseconds or events
  PRIMARY KEY (experiment, file, line, pu)
) WITHOUT ROWID;

CREATE TABLE function_samples (        -- samples of a processing unit in a function
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  pu INTEGER NOT NULL,                 -- -> processing_unit
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
  pu INTEGER NOT NULL,                 -- -> processing_unit
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
  pu INTEGER NOT NULL,                 -- -> processing_unit
  routine TEXT NOT NULL,               -- that was called, or construct; '': neither
  leaf TEXT NOT NULL REFERENCES overhead_kind(name), -- on which leaf it is booked
  ns INTEGER NOT NULL,                 -- the time; that of a call is divided among its variables
  bytes INTEGER NOT NULL,              -- that the calls transferred
  calls INTEGER NOT NULL,              -- number of calls
  PRIMARY KEY (variable, pu, routine, leaf)
) WITHOUT ROWID;

CREATE TABLE memory (                  -- memory that samples access: what was allocated at one
                                       -- place, a variable, or one of the other rows
  id INTEGER PRIMARY KEY,              -- number
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- of this one
  kind TEXT NOT NULL,                  -- heap, mapping, static, stack, thread_local; other (small
                                       -- allocations, memory of libraries), none (instructions
                                       -- without memory), unknown
  name TEXT NOT NULL,                  -- the variable; of allocated memory, the pointer to it in
                                       -- the innermost function that keeps it. '' if unknown
  function TEXT NOT NULL,              -- whose variable it is, or whose stack; '': of none
  container TEXT NOT NULL,             -- the outermost variable that it is a part of, '' if unknown
  container_function TEXT NOT NULL,    -- whose variable that is; '': of none
  type TEXT NOT NULL,                  -- of the variable, or of an element; '' if unknown
  file TEXT NOT NULL,                  -- where it is declared or allocated; '' if unknown
  line INTEGER NOT NULL,               -- likewise
  path TEXT NOT NULL,                  -- of allocated memory: functions from the outermost one
                                       -- down, joined by '/'; '' if unknown
  module TEXT NOT NULL,                -- program or library that has it, or allocates it
  bytes INTEGER NOT NULL               -- size of a variable; 0: not known
);

CREATE TABLE memory_use (              -- what a processing unit allocates and accesses
  memory INTEGER NOT NULL REFERENCES memory(id) ON DELETE CASCADE, -- the memory
  pu INTEGER NOT NULL,                 -- -> processing_unit
  allocations INTEGER NOT NULL,        -- number, with those that moved in a realloc
  freed INTEGER NOT NULL,              -- of these
  bytes INTEGER NOT NULL,              -- of all allocations together
  most_bytes INTEGER NOT NULL,         -- not freed: the most at one time
  largest_bytes INTEGER NOT NULL,      -- of one allocation
  life_ns INTEGER NOT NULL,            -- from allocation to free: the sum of those that were freed
  samples INTEGER NOT NULL,            -- that access it
  weight INTEGER NOT NULL,             -- their nanoseconds or events
  PRIMARY KEY (memory, pu)
) WITHOUT ROWID;

CREATE INDEX index_drg_node_by_experiment ON drg_node(experiment);
CREATE INDEX index_drg_node_by_parent ON drg_node(parent);
CREATE INDEX index_drg_node_by_source ON drg_node(source_node);
CREATE INDEX index_drg_node_by_region ON drg_node(region);
CREATE INDEX index_warning_by_experiment ON warning(experiment);
CREATE INDEX index_node_by_virtual_machine ON node(virtual_machine);
CREATE INDEX index_blame_point_by_experiment ON blame_point(experiment);
CREATE INDEX index_blame_point_by_parent ON blame_point(parent);
CREATE INDEX index_variable_by_point ON variable(blame_point);
CREATE INDEX index_memory_by_experiment ON memory(experiment);
CREATE INDEX index_calibration_by_machine ON calibration(physical_machine);
CREATE INDEX index_switched_off_by_region ON switched_off(experiment, process, region);
