/* SPDX-License-Identifier: BSD-3-Clause */
/* server.h - serves texts to browsers of this machine, under an address that nobody can guess.
 *
 *     struct server *server;
 *     server_start(&server, &(struct server_place){ 0 }, find, arg, &err);
 *     ... server_address(server) is http://127.0.0.1:40123/TOKEN/ ...
 *     server_stop(server);
 *
 * The server knows nothing of experiments. It has a thread that answers requests.
 */
#ifndef SIS_ANALYSIS_SERVER_H
#define SIS_ANALYSIS_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct server;

/* `address` is an IPv4 or IPv6 address of this host as a number. If it is NULL, the server uses the
 * loopback address, which only this machine can reach. If `port` is 0, it uses any free port. */
struct server_place { const char *address; uint16_t port; };

enum server_status { SERVER_FOUND, SERVER_NOTHING_NEW, SERVER_UNKNOWN, SERVER_FAILED };
struct server_answer { const char *type; char *text; size_t length; }; /* text is malloc'ed */

/* A function that finds the answer to a request. It fills the answer if it returns SERVER_FOUND.
 * `path` is the part of the address after the token and its slash; it is "" for the address itself.
 * `after` is the value of the request's argument `after`, or 0 if there is none. Called by the
 * thread of the server. */
typedef enum server_status server_find(void *arg, const char *path, uint64_t after,
				       struct server_answer *answer);

int server_start(struct server **server, const struct server_place *place, server_find *find,
		 void *arg, struct err *err);
const char *server_address(const struct server *server);
/* Whether other machines can reach the server. */
bool server_is_open(const struct server *server);
void server_stop(struct server *server);

#endif
