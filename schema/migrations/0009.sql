-- SPDX-License-Identifier: BSD-3-Clause
-- Version 9. The processors that a process could use.
ALTER TABLE processing_unit ADD COLUMN affinity TEXT;
