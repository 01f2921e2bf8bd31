-- SPDX-License-Identifier: BSD-3-Clause
-- Version 10. What two builds of a function are compared by: its tokens, and compiler and flags.
ALTER TABLE code_region ADD COLUMN tokens TEXT;
ALTER TABLE code_region ADD COLUMN build TEXT;
