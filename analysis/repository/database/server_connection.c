/* SPDX-License-Identifier: BSD-3-Clause */
/* server_connection.c - the connection to a PostgreSQL server, and the names of the repository
 * there. Owns the connection. Called by one thread. */
#include "repository/database/server_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/escape.h"
#include "profile.h"

bool shared_is_url(const char *name)
{
	return strncmp(name, "postgresql://", 13) == 0 || strncmp(name, "postgres://", 11) == 0;
}

int shared_fail(struct shared *shared, struct err *err)
{
	const char *text = PQerrorMessage(shared->connection);
	text = strncmp(text, "ERROR:  ", 8) == 0 ? text + 8 : text;
	const char *what_to_do = "see the server's message";
	if (PQstatus(shared->connection) != CONNECTION_OK)
		what_to_do = "check that the server runs, and its name";
	else if (strstr(text, "lock timeout"))
		what_to_do = "another program is writing: try again when that has ended";
	return err_fail(err, "repository '%s': %.*s; %s", shared->name, (int)strcspn(text, "\n"),
			text, what_to_do);
}

PGresult *shared_ask(struct shared *shared, struct err *err, const char *sql)
{
	PGresult *result = PQexec(shared->connection, sql);
	ExecStatusType status = PQresultStatus(result);
	if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
		return result;
	shared_fail(shared, err);
	PQclear(result);
	return NULL;
}

int shared_run(struct shared *shared, struct err *err, const char *sql)
{
	PGresult *result = shared_ask(shared, err, sql);
	PQclear(result);
	return result ? 0 : ERR_FAILED;
}

/* The name as the user wrote it, but without the password. The password stands after the user's
 * name, or in a parameter. */
static char *make_name(const char *url)
{
	char *name = mem_string(url), *host = strstr(name, "://") + 3,
	     *at = host + strcspn(host, "@/?");
	char *colon = memchr(host, ':', at - host), *parameter = strstr(name, "password=");
	if (parameter) {
		char *rest = parameter + strcspn(parameter, "&");
		memmove(parameter, *rest ? rest + 1 : rest, strlen(*rest ? rest + 1 : rest) + 1);
	}
	if (*at == '@' && colon)
		memmove(colon, at, strlen(at) + 1);
	return name;
}

/* Prints a warning of the server. The last line end is added by the library; any others are the
 * server's. */
static void print_notice(void *unused, const char *message)
{
	size_t length = strlen(message);
	(void)unused;
	length -= length > 0 && message[length - 1] == '\n';
	escape_line(stderr, "sis-analyze: warning: %.*s", (int)length, message);
}

int shared_connect(struct shared **out, const char *url, struct err *err)
{
	struct shared *shared = mem_alloc(1, sizeof *shared);
	shared->name = make_name(url);
	shared->connection = PQconnectdb(url);
	*out = shared;
	if (PQstatus(shared->connection) != CONNECTION_OK)
		return shared_fail(shared, err);
	PQsetNoticeProcessor(shared->connection, print_notice, NULL);
	PQsetClientEncoding(shared->connection, "UTF8");
	return shared_run(
		shared, err,
		"SET search_path = sis; SET client_min_messages = warning; "
		"SET lock_timeout = '60s'");
}

void shared_close(struct shared *shared)
{
	if (!shared)
		return;
	PQfinish(shared->connection);
	free(shared->name);
	free(shared);
}

const char *shared_name(const struct shared *shared)
{
	return shared->name;
}

char *shared_replica(const struct shared *shared)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *above = NULL;
	if (cache && *cache == '/')
		above = mem_string(cache);
	else if (home && *home)
		above = mem_print("%s/.cache", home);
	else
		return mem_string("");
	char *directory = mem_print("%s/sis", above);
	mkdir(above, 0700);
	mkdir(directory, 0700);
	struct stat st;
	bool usable = stat(directory, &st) == 0 && S_ISDIR(st.st_mode);
	char *path = usable ? mem_print("%s/replica-%016" PRIx64 ".db", directory,
					sis_checksum(shared->name, strlen(shared->name))) :
			      mem_string("");
	free(directory);
	free(above);
	return path;
}
