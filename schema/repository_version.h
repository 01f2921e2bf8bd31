/* SPDX-License-Identifier: BSD-3-Clause */
/* repository_version.h - the version of the repository's schema (repository.sql, migrations/). */
#ifndef SIS_SCHEMA_REPOSITORY_VERSION_H
#define SIS_SCHEMA_REPOSITORY_VERSION_H

#define SIS_REPOSITORY_VERSION 18
/* PRAGMA application_id: tells a repository from any other SQLite database. "SISr" */
#define SIS_REPOSITORY_MAGIC 0x53495372

#endif
