/* SPDX-License-Identifier: BSD-3-Clause */
/* repository_version.h - the version of the repository's schema (repository.sql). */
#ifndef SIS_SCHEMA_REPOSITORY_VERSION_H
#define SIS_SCHEMA_REPOSITORY_VERSION_H

#define SIS_REPOSITORY_VERSION 20
/* "SISr": the application_id (PRAGMA). It distinguishes repositories from other SQLite files. */
#define SIS_REPOSITORY_MAGIC 0x53495372

#endif
