-- SPDX-License-Identifier: BSD-3-Clause
-- Version 18. Waits for threads without a processor. Of older experiments they are not known.
ALTER TABLE delay ADD COLUMN no_processor_ns INTEGER NOT NULL DEFAULT 0;
