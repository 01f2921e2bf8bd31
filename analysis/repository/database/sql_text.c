/* SPDX-License-Identifier: BSD-3-Clause */
/* sql_text.c - the repository's SQL as constant strings, which sql_text.awk makes from schema/. */
#include "repository/database/sql_text.h"

#include "sql_text.inc"
