-- SPDX-License-Identifier: BSD-3-Clause
-- Version 4. Who came late where others waited, and who sent what to whom. Older experiments do not say.
CREATE TABLE delay (                   -- what units waited because another one was longer somewhere than they were
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where they waited
  leaf TEXT NOT NULL REFERENCES overhead_kind(name), -- to what it is booked there
  culprit INTEGER NOT NULL REFERENCES processing_unit(id) ON DELETE CASCADE, -- who came late
  culprit_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where it was longer; the root: not known
  ns INTEGER NOT NULL,                 -- of the waits there, summed over those who waited
  passed_ns INTEGER NOT NULL,          -- of ns: the culprit waited itself meanwhile, so others are to blame in the end
  indirect_ns INTEGER NOT NULL,        -- later waits, elsewhere, of others, that came of those there
  wrong_order_ns INTEGER NOT NULL,     -- of ns: another message had been there already, but was received later
  estimated_ns INTEGER NOT NULL,       -- of ns: culprit or culprit_node is an estimate
  PRIMARY KEY (drg_node, leaf, culprit, culprit_node)
) WITHOUT ROWID;
CREATE INDEX index_delay_by_culprit ON delay(culprit);
CREATE INDEX index_delay_by_culprit_node ON delay(culprit_node);
CREATE TABLE communicator (            -- a group of processes that exchanged something
  id INTEGER PRIMARY KEY,              -- number
  experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, -- in which
  number INTEGER NOT NULL,             -- in the run; 0: all of its processes
  name TEXT NOT NULL,                  -- MPI_Comm_set_name; '' without
  size INTEGER NOT NULL,               -- processes
  UNIQUE (experiment, number)
);

CREATE TABLE message (                 -- what a unit sent in one call: the communication matrix
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- the call
  pu INTEGER NOT NULL REFERENCES processing_unit(id) ON DELETE CASCADE, -- who
  communicator INTEGER NOT NULL REFERENCES communicator(id) ON DELETE CASCADE, -- where
  target INTEGER NOT NULL,             -- process that it is for; -1: a collective operation
  calls INTEGER NOT NULL,              -- how many
  bytes INTEGER NOT NULL,              -- of them together
  ns INTEGER NOT NULL,                 -- time in the call
  receive_ns INTEGER NOT NULL,         -- time in the calls that received it, waits included
  estimated INTEGER NOT NULL,          -- 1: told from the first records, since not all were kept
  PRIMARY KEY (drg_node, pu, communicator, target)
) WITHOUT ROWID;
CREATE INDEX index_message_by_pu ON message(pu);
CREATE INDEX index_message_by_communicator ON message(communicator);
