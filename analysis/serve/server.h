/* SPDX-License-Identifier: BSD-3-Clause */
/* server.h - serves texts to browsers of this machine, under an address that nobody can guess.
 *
 *     struct server *server;
 *     server_start(&server, &(struct server_place){ 0 }, find, arg, &err);
 *     ... server_address(server) is http://127.0.0.1:40123/TOKEN/ ...
 *     server_stop(server);
 *
 * It knows nothing of experiments. Requests are answered by a thread of the server.
 */
#ifndef SIS_ANALYSIS_SERVER_H
#define SIS_ANALYSIS_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct server;

/* address: a number of IPv4 or IPv6 that this host has; NULL: the loopback address, which only this
 * machine reaches. port: 0, one that is free. */
struct server_place { const char *address; uint16_t port; };

enum server_status { SERVER_FOUND, SERVER_NOTHING_NEW, SERVER_UNKNOWN, SERVER_FAILED };
struct server_answer { const char *type; char *text; size_t length; }; /* text: of malloc */

/* Fills the answer to a request, if its status is SERVER_FOUND. `path` is what follows the token
 * and its slash: "" for the address itself. `after` is the number of the request's argument of this
 * name; 0: it has none. Called by the thread of the server. */
typedef enum server_status server_find(void *arg, const char *path, uint64_t after,
				       struct server_answer *answer);

int server_start(struct server **server, const struct server_place *place, server_find *find,
		 void *arg, struct err *err);
const char *server_address(const struct server *server);
/* Whether machines other than this one reach the server. */
bool server_is_open(const struct server *server);
void server_stop(struct server *server);

#endif
