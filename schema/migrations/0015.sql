-- SPDX-License-Identifier: BSD-3-Clause
-- Version 15. The memory that samples access. Older experiments have none.
ALTER TABLE sampling ADD COLUMN least_bytes INTEGER;
ALTER TABLE sampling ADD COLUMN memory_lost INTEGER;
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
  pu INTEGER NOT NULL,                 -- the processing unit
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
CREATE INDEX index_memory_by_experiment ON memory(experiment);
