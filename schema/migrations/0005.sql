-- SPDX-License-Identifier: BSD-3-Clause
-- Version 5. A row hangs on its node of the call graph alone: who and what else it names are of the same experiment, and
-- go with it. Two thirds of the time to store a million rows went into finding them by unit as well.
DROP INDEX index_region_summary_by_pu;
DROP INDEX index_overhead_by_pu;
DROP INDEX index_critical_path_by_pu;
DROP INDEX index_delay_by_culprit;
DROP INDEX index_delay_by_culprit_node;
DROP INDEX index_message_by_pu;
DROP INDEX index_message_by_communicator;
ALTER TABLE region_summary RENAME TO old_region_summary;
ALTER TABLE metric RENAME TO old_metric;
ALTER TABLE user_value RENAME TO old_user_value;
ALTER TABLE overhead RENAME TO old_overhead;
ALTER TABLE critical_path RENAME TO old_critical_path;
ALTER TABLE delay RENAME TO old_delay;
ALTER TABLE message RENAME TO old_message;
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

CREATE TABLE message (                 -- what a unit sent in one call: the communication matrix
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- the call
  pu INTEGER NOT NULL,                 -- who
  communicator INTEGER NOT NULL,       -- where
  target INTEGER NOT NULL,             -- process that it is for; -1: a collective operation
  calls INTEGER NOT NULL,              -- how many
  bytes INTEGER NOT NULL,              -- of them together
  ns INTEGER NOT NULL,                 -- time in the call
  receive_ns INTEGER NOT NULL,         -- time in the calls that received it, waits included
  estimated INTEGER NOT NULL,          -- 1: told from the first records, since not all were kept
  PRIMARY KEY (drg_node, pu, communicator, target)
) WITHOUT ROWID;

INSERT INTO region_summary SELECT * FROM old_region_summary;
INSERT INTO metric SELECT * FROM old_metric;
INSERT INTO user_value SELECT * FROM old_user_value;
INSERT INTO overhead SELECT * FROM old_overhead;
INSERT INTO critical_path SELECT * FROM old_critical_path;
INSERT INTO delay SELECT * FROM old_delay;
INSERT INTO message SELECT * FROM old_message;
DROP TABLE old_message;
DROP TABLE old_delay;
DROP TABLE old_critical_path;
DROP TABLE old_overhead;
DROP TABLE old_user_value;
DROP TABLE old_metric;
DROP TABLE old_region_summary;
