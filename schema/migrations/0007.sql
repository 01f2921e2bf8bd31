-- SPDX-License-Identifier: BSD-3-Clause
-- Version 7. Kinds of warnings, which were recognized by their texts before.
ALTER TABLE warning ADD COLUMN kind TEXT NOT NULL DEFAULT 'run';
UPDATE warning SET kind = 'sampled' WHERE text LIKE 'times of short regions are estimates%';
UPDATE warning SET kind = 'counts' WHERE text LIKE 'counts of % are estimates%';
UPDATE warning SET kind = 'lost' WHERE text LIKE '% could not be read and has no value there%';
UPDATE warning SET kind = 'cost' WHERE text LIKE 'ODATA_% is an estimate: %';
UPDATE warning SET kind = 'unmeasured' WHERE text LIKE 'waits of threads for each other count as useful work%';
