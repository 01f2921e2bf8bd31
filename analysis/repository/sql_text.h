/* SPDX-License-Identifier: BSD-3-Clause */
/* sql_text.h - schema/repository.sql, views.sql and migrations/ as strings, which the build
 * makes. */
#ifndef SIS_ANALYSIS_SQL_TEXT_H
#define SIS_ANALYSIS_SQL_TEXT_H

#include "repository/repository.h"

extern const char sql_repository[], sql_views[];
extern const struct migration sql_migration[];
extern const size_t sql_migrations;

#endif
