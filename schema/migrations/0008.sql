-- SPDX-License-Identifier: BSD-3-Clause
-- Version 8. The check of causes, and how much of the waiting has none.
ALTER TABLE experiment ADD COLUMN cause_error_ns INTEGER;
ALTER TABLE experiment ADD COLUMN not_recorded_ns INTEGER;
