-- SPDX-License-Identifier: BSD-3-Clause
-- Version 6. Traffic of windows and inter-communicators. Older experiments have none.
ALTER TABLE communicator ADD COLUMN kind TEXT NOT NULL DEFAULT 'group'; -- group, inter (two groups), window
