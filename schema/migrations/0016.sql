-- SPDX-License-Identifier: BSD-3-Clause
-- Version 16. The clock of the probes.
ALTER TABLE experiment ADD COLUMN clock TEXT;
