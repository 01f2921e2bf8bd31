/* SPDX-License-Identifier: BSD-3-Clause */
/* server.c - checks and answers the requests that libmicrohttpd reads (server.h).
 *
 * A web page of another site may also send requests to the loopback address. But that page does not
 * know the token, which is part of each address. The other site may even let its own name resolve
 * to the loopback address. Then the browser sends this name in the header Host. There, a server
 * that only this machine can reach accepts only localhost and numeric addresses. */
#include "live/serve/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/now.h"
#include "live/serve/guests.h"

enum { TOKEN_BYTES = 16, TOKEN = 2 * TOKEN_BYTES, PATIENCE_S = 30 };

struct server {
	struct MHD_Daemon *daemon;
	server_find *find;
	void *arg;
	char token[TOKEN + 1];
	char *address;
	bool is_open;
	pthread_t thread;
	atomic_bool is_stopped;
	/* only the thread of the server uses this */
	struct guests guests;
};

union any_address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* -- requests ---------------------------------------------------------------------------------- */

/* Takes equally long for each wrong token, so that the time reveals nothing about the right one. */
static bool has_token(const struct server *server, const char *path)
{
	unsigned char differs = 0;
	if (strlen(path) < TOKEN + 2)
		return false;
	for (size_t i = 0; i < TOKEN; i++)
		differs |= (unsigned char)(path[1 + i] ^ server->token[i]);
	return path[0] == '/' && path[TOKEN + 1] == '/' && !differs;
}

/* Whether the host is a numeric address or localhost, with a port or without. */
static bool host_is_number(const char *host)
{
	char name[INET6_ADDRSTRLEN + 8];
	struct in6_addr number;
	const char *end = *host == '[' ? strchr(host, ']') : strchrnul(host, ':');
	const char *begin = host + (*host == '[');
	if (!end || (size_t)(end - begin) >= sizeof name)
		return false;
	memcpy(name, begin, (size_t)(end - begin));
	name[end - begin] = '\0';
	return strcmp(name, "localhost") == 0 || inet_pton(AF_INET, name, &number) == 1 ||
	       inet_pton(AF_INET6, name, &number) == 1;
}

/* The response frees the text. */
static enum MHD_Result respond(struct MHD_Connection *connection, unsigned status,
			       const struct server_answer *answer)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
		answer->length, answer->text, MHD_RESPMEM_MUST_FREE);
	if (!response) {
		free(answer->text);
		return MHD_NO;
	}
	if (answer->type)
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->type);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
	MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
	enum MHD_Result queued = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return queued;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *text)
{
	const struct server_answer answer = { "text/plain; charset=utf-8", mem_string(text),
					      strlen(text) };
	return respond(connection, status, &answer);
}

static enum MHD_Result handle(void *arg, struct MHD_Connection *connection, const char *path,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **state)
{
	const struct server *server = arg;
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
						       MHD_HTTP_HEADER_HOST);
	(void)version, (void)upload, (void)state;
	if (*upload_size)
		return MHD_NO; /* closes the connection: no request here may have a body */
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "sis-analyze: only GET\n");
	bool is_known = host && (server->is_open || host_is_number(host)) &&
		has_token(server, path);
	guest_judge(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
			    ->socket_context, is_known);
	if (!is_known)
		return refuse(connection, MHD_HTTP_NOT_FOUND,
			      "sis-analyze: no such page; the address that `view --live` prints "
			      "has a key\n");
	const char *after = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "after");
	uint64_t number = after && *after >= '0' && *after <= '9' ? strtoull(after, NULL, 10) : 0;
	struct server_answer answer = { 0 };
	switch (server->find(server->arg, path + TOKEN + 2, number, &answer)) {
	case SERVER_FOUND:
		return respond(connection, MHD_HTTP_OK, &answer);
	case SERVER_NOTHING_NEW:
		return respond(connection, MHD_HTTP_NO_CONTENT, &answer);
	case SERVER_FAILED:
		return refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
			      "sis-analyze: out of memory\n");
	default:
		return refuse(connection, MHD_HTTP_NOT_FOUND, "sis-analyze: no such page\n");
	}
}

/* -- connections ------------------------------------------------------------------------------- */

static void notify(void *arg, struct MHD_Connection *connection, void **context,
		   enum MHD_ConnectionNotificationCode code)
{
	struct server *server = arg;
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		*context = guest_come(&server->guests, MHD_get_connection_info(
			connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
			clock_now(CLOCK_MONOTONIC));
	else
		guest_go(*context);
}

/* Before the server closes a stranger because its second is over, it must have read everything that
 * the stranger sent in time. So after each round, it closes the strangers whose second was over
 * before the round began. */
static void *serve(void *arg)
{
	struct server *server = arg;
	while (!atomic_load_explicit(&server->is_stopped, memory_order_relaxed)) {
		int64_t begun = clock_now(CLOCK_MONOTONIC);
		MHD_run_wait(server->daemon, guests_wait_ms(&server->guests, begun));
		guests_end_late(&server->guests, begun);
	}
	return NULL;
}

/* -- start and end ----------------------------------------------------------------------------- */

static int make_token(char *token, struct err *err)
{
	unsigned char random[TOKEN_BYTES];
	if (getrandom(random, sizeof random, 0) != sizeof random)
		return err_fail(err, "the system gives no random numbers: %s", strerror(errno));
	for (size_t i = 0; i < sizeof random; i++)
		snprintf(token + 2 * i, 3, "%02x", random[i]);
	return 0;
}

static int read_address(const struct server_place *place, union any_address *address,
			bool *is_open, struct err *err)
{
	const char *text = place->address ? place->address : "127.0.0.1";
	*address = (union any_address){ 0 };
	if (inet_pton(AF_INET, text, &address->v4.sin_addr) == 1) {
		address->v4.sin_family = AF_INET;
		address->v4.sin_port = htons(place->port);
		*is_open = ntohl(address->v4.sin_addr.s_addr) >> 24 != IN_LOOPBACKNET;
		return 0;
	}
	if (inet_pton(AF_INET6, text, &address->v6.sin6_addr) == 1) {
		address->v6.sin6_family = AF_INET6;
		address->v6.sin6_port = htons(place->port);
		*is_open = !IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
		return 0;
	}
	return err_usage(err, "'%s' is no address of IPv4 or IPv6, as 127.0.0.1 or ::1", text);
}

static int start(struct server *server, const union any_address *address, struct err *err)
{
	unsigned flags = address->any.sa_family == AF_INET6 ? MHD_USE_IPv6 : MHD_NO_FLAG;
	signal(SIGPIPE, SIG_IGN); /* a browser may close the connection before it has the answer */
	errno = 0;
	server->daemon = MHD_start_daemon(
		flags, 0, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR, &address->any,
		MHD_OPTION_NOTIFY_CONNECTION, notify, server, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)GUESTS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE_S,
		MHD_OPTION_END);
	if (!server->daemon)
		return err_fail(err, "cannot listen there: %s; choose another --port or --address",
				errno ? strerror(errno) : "refused");
	int error = pthread_create(&server->thread, NULL, serve, server);
	if (error) {
		MHD_stop_daemon(server->daemon);
		return err_fail(err, "cannot make a thread: %s; end other programs",
				strerror(error));
	}
	return 0;
}

/* If the server listens at all addresses of this host, its address has the host's name. */
static char *make_address(const struct server *server, const struct server_place *place,
			  const union any_address *address)
{
	char host[256] = "127.0.0.1";
	bool v6 = address->any.sa_family == AF_INET6,
	     everywhere = v6 ? IN6_IS_ADDR_UNSPECIFIED(&address->v6.sin6_addr) :
			       address->v4.sin_addr.s_addr == htonl(INADDR_ANY);
	unsigned port = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
	if (everywhere && gethostname(host, sizeof host - 1) == 0)
		v6 = false;
	else if (place->address)
		snprintf(host, sizeof host, "%s", place->address);
	return mem_print("http://%s%s%s:%u/%s/", v6 ? "[" : "", host, v6 ? "]" : "", port,
			 server->token);
}

int server_start(struct server **out, const struct server_place *place, server_find *find,
		 void *arg, struct err *err)
{
	struct server *server = mem_alloc(1, sizeof *server);
	union any_address address;
	*server = (struct server){ .find = find, .arg = arg };
	int rc = read_address(place, &address, &server->is_open, err);
	rc = rc ? rc : make_token(server->token, err);
	rc = rc ? rc : start(server, &address, err);
	if (rc) {
		free(server);
		return rc;
	}
	server->address = make_address(server, place, &address);
	*out = server;
	return 0;
}

const char *server_address(const struct server *server)
{
	return server->address;
}

bool server_is_open(const struct server *server)
{
	return server->is_open;
}

void server_stop(struct server *server)
{
	if (!server)
		return;
	atomic_store_explicit(&server->is_stopped, true, memory_order_relaxed); /* serve */
	pthread_join(server->thread, NULL);
	MHD_stop_daemon(server->daemon);
	free(server->address);
	free(server);
}
