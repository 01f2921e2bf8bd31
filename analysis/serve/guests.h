/* SPDX-License-Identifier: BSD-3-Clause */
/* guests.h - the connections of a server, and how long those may stay that have not shown the
 * token.
 *
 * A stranger is a connection whose last complete request had no token, or that has sent none yet.
 * Strangers must not keep those who have the token from being served. So a stranger has one second,
 * however often it sends a byte. And if there are more connections than places, the stranger that
 * came first has to go. To end a connection, its socket is shut down: libmicrohttpd then finds its
 * end and closes it.
 */
#ifndef SIS_ANALYSIS_GUESTS_H
#define SIS_ANALYSIS_GUESTS_H

#include <stdbool.h>
#include <stdint.h>

/* Two more than places: a connection that is ending keeps its entry for a while, and one that just
 * came has to be accepted before another one is ended for it. */
enum { GUEST_PLACES = 128, GUESTS = GUEST_PLACES + 2 };

struct guests {
	struct guest {
		int socket;
		int64_t since_ns; /* when it came */
		bool is_here, is_known, is_ending;
	} guest[GUESTS];
};

/* Of a new connection; NULL: there are too many. */
struct guest *guest_come(struct guests *guests, int socket, int64_t now_ns);
/* It has sent a complete request, with the token or without. `guest` may be NULL. */
void guest_judge(struct guest *guest, bool is_known);
/* The connection is closed. `guest` may be NULL. */
void guest_go(struct guest *guest);
/* How long to wait for requests until guests_end_late has something to do, at most a second. */
int guests_wait_ms(const struct guests *guests, int64_t now_ns);
/* Ends strangers whose time was over at that moment. */
void guests_end_late(struct guests *guests, int64_t moment_ns);

#endif
