/* SPDX-License-Identifier: BSD-3-Clause */
/* sql_text.h - schema/repository.sql and views.sql as strings, which the build makes. */
#ifndef SIS_ANALYSIS_SQL_TEXT_H
#define SIS_ANALYSIS_SQL_TEXT_H

extern const char sql_repository[], sql_views[];

#endif
