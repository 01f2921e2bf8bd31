-- SPDX-License-Identifier: BSD-3-Clause
-- Version 2: numbers that programs give, checksums of sources.
CREATE TABLE user_value (              -- numbers that the program gave while the node was open (SIS_VALUE)
  region_summary INTEGER NOT NULL REFERENCES region_summary(id) ON DELETE CASCADE, -- of which
  name TEXT NOT NULL,                  -- the program's name for them
  count INTEGER NOT NULL,              -- how many
  sum REAL NOT NULL,                   -- of all
  min REAL NOT NULL,                   -- least
  max REAL NOT NULL,                   -- most
  PRIMARY KEY (region_summary, name)
) WITHOUT ROWID;
-- Texts of sources are compared between experiments: a difference is the programmer's or the compiler's.
ALTER TABLE source_file ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
