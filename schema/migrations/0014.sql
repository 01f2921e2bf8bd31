-- SPDX-License-Identifier: BSD-3-Clause
-- Version 14. Delay costs by victim. Older experiments have none.
CREATE TABLE wait_pair (               -- delay costs by victim: which processing unit waited for
                                       -- which. The rows of a delay add up to its ns
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where it waited
  leaf TEXT NOT NULL REFERENCES overhead_kind(name), -- on which the waits are booked
  culprit INTEGER NOT NULL,            -- the processing unit that was late
  culprit_node INTEGER NOT NULL,       -- drg_node where it spent more time; the root: not known
  victim INTEGER NOT NULL,             -- the processing unit that waited; 0: several, each with a
                                       -- smaller part than any that has a row
  ns INTEGER NOT NULL,                 -- the waits
  PRIMARY KEY (drg_node, leaf, culprit, culprit_node, victim)
) WITHOUT ROWID;
