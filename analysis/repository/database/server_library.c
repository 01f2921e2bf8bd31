/* SPDX-License-Identifier: BSD-3-Clause */
/* server_library.c - the functions of libpq that server_*.c call. Any thread may call them. */
#include <libpq-fe.h>

#include "base/lazy_library.h"

#define LAZY(...) LAZY_FUNCTION("libpq.so.5", __VA_ARGS__)

LAZY(PGconn *, PQconnectdb, (const char *url), (url))
LAZY(void, PQfinish, (PGconn *c), (c))
LAZY(ConnStatusType, PQstatus, (const PGconn *c), (c))
LAZY(char *, PQerrorMessage, (const PGconn *c), (c))
LAZY(int, PQsetClientEncoding, (PGconn *c, const char *encoding), (c, encoding))
LAZY(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *c, PQnoticeProcessor f, void *arg),
     (c, f, arg))
LAZY(PGresult *, PQexec, (PGconn *c, const char *query), (c, query))
LAZY(PGresult *, PQgetResult, (PGconn *c), (c))
LAZY(int, PQgetCopyData, (PGconn *c, char **data, int asynchronous), (c, data, asynchronous))
LAZY(int, PQputCopyData, (PGconn *c, const char *data, int bytes), (c, data, bytes))
LAZY(int, PQputCopyEnd, (PGconn *c, const char *failure), (c, failure))
LAZY(void, PQfreemem, (void *memory), (memory))
LAZY(ExecStatusType, PQresultStatus, (const PGresult *r), (r))
LAZY(int, PQntuples, (const PGresult *r), (r))
LAZY(char *, PQgetvalue, (const PGresult *r, int row, int column), (r, row, column))
LAZY(char *, PQcmdTuples, (PGresult *r), (r))
LAZY(void, PQclear, (PGresult *r), (r))
