-- SPDX-License-Identifier: BSD-3-Clause
-- repository.sql - the performance data repository, after Figure 5 of the SCALEA paper: applications with
-- their versions and source, experiments with the machine they ran on, and what was measured.
--
--   application -< version -< source_file -< code_region
--                     |                          |
--                 experiment ------------- drg_node -< region_summary -< metric
--                     |                          |                `-- user_value
--                     |                          `-- overhead, critical_path, delay, message >- communicator
--          virtual_machine -< node -< processing_unit
--                     |         `- physical_machine
--                  network
--
-- This is the whole schema of the newest version, for a new database. An older one gets there through
-- migrations/. Times are nanoseconds, integers. Views are in views.sql and can be made again at any time.

-- What is written here once for the whole database.
CREATE TABLE derived (                 -- one row: what was made from the program itself, not from experiments
  checksum INTEGER NOT NULL            -- over views.sql and the tables it rests on: when it differs, all are made again
);

CREATE TABLE overhead_kind (           -- the overhead tree; filled from overheads.def at each opening for writing
  name TEXT PRIMARY KEY,               -- mnemonic
  parent TEXT,                         -- mnemonic of the inner node it belongs to; NULL: the root
  place INTEGER NOT NULL,              -- order of the rows of overheads.def: parents before children
  depth INTEGER NOT NULL,              -- steps from the root
  is_leaf INTEGER NOT NULL,            -- 1: time is booked here; 0: the sum of its children
  description TEXT NOT NULL            -- one line
);

CREATE TABLE metric_kind (             -- what is measured; filled from metrics.def likewise
  name TEXT PRIMARY KEY,               -- mnemonic
  unit TEXT NOT NULL,                  -- ns, count, bytes or KiB
  description TEXT NOT NULL            -- one line
);

CREATE TABLE application (             -- a program, whatever its version
  id INTEGER PRIMARY KEY,              -- number
  name TEXT NOT NULL UNIQUE            -- base name of the executable
);

CREATE TABLE version (                 -- an implementation: one state of the sources and the build
  id INTEGER PRIMARY KEY,              -- number
  application INTEGER NOT NULL REFERENCES application(id) ON DELETE CASCADE, -- of which it is one
  checksum TEXT NOT NULL,              -- over its units' checksums, compilers and flags: tells versions apart
  compiler TEXT NOT NULL,              -- command of the compiler
  flags TEXT NOT NULL,                 -- its options
  sisc TEXT NOT NULL,                  -- version of the instrumenter
  UNIQUE (application, checksum)
);

CREATE TABLE source_file (             -- a file that regions lie in
  id INTEGER PRIMARY KEY,              -- number
  version INTEGER NOT NULL REFERENCES version(id) ON DELETE CASCADE, -- that it is part of
  path TEXT NOT NULL,                  -- as seen from the directory, or absolute; '' for regions without source
  directory TEXT NOT NULL,             -- that holds the build's working directories; '' if unknown or not needed
  checksum TEXT NOT NULL DEFAULT '',   -- of its text, 16 hexadecimal digits; '' if unknown
  UNIQUE (version, path)
);

CREATE TABLE code_region (             -- a static region, from a whole program to one statement
  id INTEGER PRIMARY KEY,              -- number
  source_file INTEGER NOT NULL REFERENCES source_file(id) ON DELETE CASCADE, -- where it is
  key TEXT NOT NULL,                   -- identity across builds: file:unit:type:name:ordinal
  name TEXT NOT NULL,                  -- the user's name, or construct and line
  type TEXT NOT NULL,                  -- mnemonic of regions.def
  unit TEXT NOT NULL,                  -- function around it, '' if unknown
  line_start INTEGER NOT NULL,         -- position of its first character; 0: not in the source
  column_start INTEGER NOT NULL,       -- likewise
  line_end INTEGER NOT NULL,           -- position of its last character
  column_end INTEGER NOT NULL,         -- likewise
  metrics TEXT NOT NULL,               -- metrics asked for, comma-separated; '': the default ones
  UNIQUE (source_file, key)
);

CREATE TABLE network (                 -- what connects the nodes of a virtual machine
  id INTEGER PRIMARY KEY,              -- number
  name TEXT NOT NULL UNIQUE            -- 'shared memory' for one node, else the name of the transport if known
);

CREATE TABLE physical_machine (        -- a computer
  id INTEGER PRIMARY KEY,              -- number
  host TEXT NOT NULL UNIQUE,           -- its name
  cores INTEGER NOT NULL,              -- processors online
  memory_bytes INTEGER NOT NULL        -- main memory
);

CREATE TABLE machine_fact (            -- what else is known of a computer
  physical_machine INTEGER NOT NULL REFERENCES physical_machine(id) ON DELETE CASCADE, -- the computer
  key TEXT NOT NULL,                   -- processor, caches, system ...
  value TEXT NOT NULL,                 -- as it was reported last
  PRIMARY KEY (physical_machine, key)
) WITHOUT ROWID;

CREATE TABLE virtual_machine (         -- the part of the machines that one experiment had
  id INTEGER PRIMARY KEY,              -- number
  network INTEGER NOT NULL REFERENCES network(id), -- that connects its nodes
  nodes INTEGER NOT NULL               -- how many
);

CREATE TABLE node (                    -- a computer in its part for one experiment
  id INTEGER PRIMARY KEY,              -- number
  virtual_machine INTEGER NOT NULL REFERENCES virtual_machine(id) ON DELETE CASCADE, -- that it belongs to
  physical_machine INTEGER NOT NULL REFERENCES physical_machine(id) -- that it is
);

CREATE TABLE experiment (              -- one run
  id INTEGER PRIMARY KEY,              -- number
  name TEXT NOT NULL UNIQUE,           -- --name, or application and number
  version INTEGER NOT NULL REFERENCES version(id), -- what ran
  virtual_machine INTEGER NOT NULL REFERENCES virtual_machine(id), -- where
  run_id TEXT NOT NULL UNIQUE,         -- of the runtime: the same run is never imported twice
  directory TEXT NOT NULL,             -- it was imported from, absolute
  program TEXT NOT NULL,               -- path of the executable
  command TEXT NOT NULL,               -- with arguments
  role TEXT NOT NULL CHECK (role IN ('seq', 'par1', 'par')), -- the sequential run, the parallel one on one unit, any other
  started_ns INTEGER NOT NULL,         -- since 1970
  p INTEGER NOT NULL,                  -- processing units
  t_p_ns INTEGER NOT NULL,             -- wall time, from the first start to the last end of a process
  complete INTEGER NOT NULL,           -- 1: every process reached its end
  identity_error_ns INTEGER NOT NULL,  -- largest difference of a unit's wall time and its parts
  runtime TEXT NOT NULL,               -- version of the runtime
  imported_ns INTEGER NOT NULL,        -- when it came here, since 1970
  ideal_ns INTEGER,                    -- wall time on an ideal network; NULL: not every message was matched
  critical_estimated_ns INTEGER        -- of the critical path, where its region is an estimate; NULL: no path is known
);

CREATE TABLE experiment_fact (         -- --set K=V of the user
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- whose
  key TEXT NOT NULL,                   -- name
  value TEXT NOT NULL,                 -- text
  PRIMARY KEY (experiment, key)
) WITHOUT ROWID;

CREATE TABLE warning (                 -- what its user must know of an experiment
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- whose
  text TEXT NOT NULL,                  -- one line
  kind TEXT NOT NULL DEFAULT 'run'     -- run, sampled (times are estimates), counts (counts are estimates), lost (a
                                       -- metric has no value), cost (of a counted leaf), unmeasured (waits)
);

CREATE TABLE processing_unit (         -- a thread of a process: a slot that one thread at a time fills
  id INTEGER PRIMARY KEY,              -- number
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- it took part in
  node INTEGER NOT NULL REFERENCES node(id), -- it ran on
  process INTEGER NOT NULL,            -- MPI rank, else order of the start
  thread INTEGER NOT NULL,             -- slot: 0 the initial thread
  pid INTEGER NOT NULL,                -- of the system
  start_ns INTEGER NOT NULL,           -- of its process, after the experiment's
  end_ns INTEGER NOT NULL,             -- likewise
  state TEXT NOT NULL,                 -- how its process ended: ended, running, signal, aborted, exec
  status INTEGER NOT NULL,             -- signal or exit status, by state
  useful_ns INTEGER NOT NULL,          -- time that is no overhead
  UNIQUE (experiment, process, thread)
);

CREATE TABLE drg_node (                -- dynamic region call graph: a stack of regions that was active
  id INTEGER PRIMARY KEY,              -- number
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- in which
  parent INTEGER REFERENCES drg_node(id) ON DELETE CASCADE, -- the stack without its innermost region; NULL: the root
  region INTEGER NOT NULL REFERENCES code_region(id), -- the innermost region
  source_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- it or its nearest ancestor in the source
  depth INTEGER NOT NULL,              -- regions in the stack above it
  nested INTEGER NOT NULL,             -- 1: the region is in the stack further up as well (recursion)
  path TEXT NOT NULL                   -- names from the root's child down, joined by '/'
);

CREATE TABLE region_summary (          -- what one unit did in one node
  id INTEGER PRIMARY KEY,              -- number
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where
  pu INTEGER NOT NULL,                 -- who
  calls INTEGER NOT NULL,              -- activations begun
  subs INTEGER NOT NULL,               -- activations of children
  incl_ns INTEGER NOT NULL,            -- wall time, children included
  excl_ns INTEGER NOT NULL,            -- without children
  useful_ns INTEGER NOT NULL,          -- of excl_ns: what no overhead is
  min_ns INTEGER,                      -- shortest activation; NULL: none ended
  max_ns INTEGER,                      -- longest activation
  is_open INTEGER NOT NULL,            -- 1: an activation had not ended, its time is partial
  UNIQUE (drg_node, pu)
);

CREATE TABLE metric (                  -- further metrics of a summary
  region_summary INTEGER NOT NULL REFERENCES region_summary(id) ON DELETE CASCADE, -- of which
  name TEXT NOT NULL,                  -- mnemonic of metric_kind, or PAPI(event)
  value INTEGER,                       -- total over the activations; NULL: not to be had on that machine
  nested INTEGER NOT NULL,             -- 1: it is part of the value of a node further up as well
  PRIMARY KEY (region_summary, name)
) WITHOUT ROWID;

CREATE TABLE user_value (              -- numbers that the program gave while the node was open (SIS_VALUE)
  region_summary INTEGER NOT NULL REFERENCES region_summary(id) ON DELETE CASCADE, -- of which
  name TEXT NOT NULL,                  -- the program's name for them
  count INTEGER NOT NULL,              -- how many
  sum REAL NOT NULL,                   -- of all
  min REAL NOT NULL,                   -- least
  max REAL NOT NULL,                   -- most
  PRIMARY KEY (region_summary, name)
) WITHOUT ROWID;

CREATE TABLE overhead (                -- time that was no useful work, booked once
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where
  pu INTEGER NOT NULL,                 -- who lost it
  leaf TEXT NOT NULL REFERENCES overhead_kind(name), -- to what
  ns INTEGER NOT NULL,                 -- how much
  PRIMARY KEY (drg_node, pu, leaf)
) WITHOUT ROWID;

CREATE TABLE critical_path (           -- the chain of work and transfers that the run's length is due to
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where
  pu INTEGER NOT NULL,                 -- who was on the path there
  ns INTEGER NOT NULL,                 -- how long; all of an experiment's together are t_p_ns
  PRIMARY KEY (drg_node, pu)
) WITHOUT ROWID;

CREATE TABLE delay (                   -- what units waited because another one was longer somewhere than they were
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where they waited
  leaf TEXT NOT NULL REFERENCES overhead_kind(name), -- to what it is booked there
  culprit INTEGER NOT NULL,            -- the unit that came late
  culprit_node INTEGER NOT NULL,       -- drg_node where it was longer; the root: not known
  ns INTEGER NOT NULL,                 -- of the waits there, summed over those who waited
  passed_ns INTEGER NOT NULL,          -- of ns: the culprit waited itself meanwhile, so others are to blame in the end
  indirect_ns INTEGER NOT NULL,        -- later waits, elsewhere, of others, that came of those there
  wrong_order_ns INTEGER NOT NULL,     -- of ns: another message had been there already, but was received later
  estimated_ns INTEGER NOT NULL,       -- of ns: culprit or culprit_node is an estimate
  PRIMARY KEY (drg_node, leaf, culprit, culprit_node)
) WITHOUT ROWID;

CREATE TABLE communicator (            -- a group of processes that exchanged something
  id INTEGER PRIMARY KEY,              -- number
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- in which
  number INTEGER NOT NULL,             -- in the run; 0: all of its processes
  name TEXT NOT NULL,                  -- MPI_Comm_set_name; '' without
  size INTEGER NOT NULL,               -- processes; of an inter-communicator those of one side
  kind TEXT NOT NULL DEFAULT 'group',  -- group, inter (two groups), window (of one-sided communication)
  UNIQUE (experiment, number)
);

CREATE TABLE message (                 -- what a unit sent, or got from a window, in one call: the communication matrix
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- the call
  pu INTEGER NOT NULL,                 -- who
  communicator INTEGER NOT NULL,       -- where
  target INTEGER NOT NULL,             -- process that it is for, or, of MPI_Get, that it is from; -1: a collective operation
  calls INTEGER NOT NULL,              -- how many
  bytes INTEGER NOT NULL,              -- of them together
  ns INTEGER NOT NULL,                 -- time in the call
  receive_ns INTEGER NOT NULL,         -- time in the calls that received it, waits included
  estimated INTEGER NOT NULL,          -- 1: told from the first records, since not all were kept
  PRIMARY KEY (drg_node, pu, communicator, target)
) WITHOUT ROWID;

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

CREATE INDEX index_drg_node_by_experiment ON drg_node(experiment);
CREATE INDEX index_drg_node_by_parent ON drg_node(parent);
CREATE INDEX index_drg_node_by_source ON drg_node(source_node);
CREATE INDEX index_drg_node_by_region ON drg_node(region);
CREATE INDEX index_warning_by_experiment ON warning(experiment);
CREATE INDEX index_node_by_virtual_machine ON node(virtual_machine);
