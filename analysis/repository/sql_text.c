/* SPDX-License-Identifier: BSD-3-Clause */
/* sql_text.c - the repository's SQL as constant strings, made from schema/ by sql_text.awk. */
#include "repository/sql_text.h"

#include "repository_version.h"

#include "sql_text.inc"
