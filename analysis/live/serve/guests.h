/* SPDX-License-Identifier: BSD-3-Clause */
/* guests.h - the connections of a server, which are its guests. A guest that does not show the
 * token is closed after a while.
 *
 * A stranger is a guest whose last complete request had no token, or that has not sent a complete
 * request yet. Strangers must not keep the server from serving guests with the token. So a stranger
 * is closed one second after it came, however often it sends a byte. If there are more than
 * MOST_GUESTS guests, the stranger that came first is closed. The server closes a guest by shutting
 * down its socket: libmicrohttpd then notices the end of the connection, and releases it.
 */
#ifndef SIS_ANALYSIS_GUESTS_H
#define SIS_ANALYSIS_GUESTS_H

#include <stdbool.h>
#include <stdint.h>

/* There are two more entries than MOST_GUESTS. A connection that is being closed keeps its entry
 * for a while, and a new connection has to be accepted before another one is closed for it. */
enum { MOST_GUESTS = 128, GUESTS = MOST_GUESTS + 2 };

struct guests {
	struct guest {
		int socket;
		int64_t since_ns; /* the time at which it came */
		bool is_here, is_known, is_ending;
	} guest[GUESTS];
};

/* Makes the entry of a new connection. NULL if there are too many connections. */
struct guest *guest_come(struct guests *guests, int socket, int64_t now_ns);
/* To be called when the guest has sent a complete request; is_known says whether the request has
 * the token. `guest` may be NULL. */
void guest_judge(struct guest *guest, bool is_known);
/* To be called when the connection is closed. `guest` may be NULL. */
void guest_go(struct guest *guest);
/* How long the server may wait for requests until it has to call guests_end_late: at most a
 * second. */
int guests_wait_ms(const struct guests *guests, int64_t now_ns);
/* Closes the strangers that had come at least a second before this moment. */
void guests_end_late(struct guests *guests, int64_t moment_ns);

#endif
