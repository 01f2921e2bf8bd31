/* SPDX-License-Identifier: BSD-3-Clause */
/* guests.c - limits how long and how many strangers are connected (guests.h). Only the thread of
 * the server calls these functions. The limits of libmicrohttpd are not enough: its time limit
 * begins again with each byte, and at its limit of connections it accepts no new connection. */
#include "live/serve/guests.h"

#include <stddef.h>
#include <sys/socket.h>

enum { STRANGER_MS = 1000, NS_OF_MS = 1000000 };

static bool is_stranger(const struct guest *guest)
{
	return guest->is_here && !guest->is_known && !guest->is_ending;
}

static void end(struct guest *guest)
{
	guest->is_ending = true;
	shutdown(guest->socket, SHUT_RDWR);
}

struct guest *guest_come(struct guests *guests, int socket, int64_t now_ns)
{
	struct guest *after = guests->guest + GUESTS, *newest = guests->guest, *oldest = NULL;
	while (newest < after && newest->is_here)
		newest++;
	if (newest == after)
		return NULL;
	*newest = (struct guest){ socket, .since_ns = now_ns, .is_here = true };
	int staying = 0;
	for (struct guest *g = guests->guest; g < after; g++) {
		staying += g->is_here && !g->is_ending;
		if (is_stranger(g) && g != newest && (!oldest || g->since_ns < oldest->since_ns))
			oldest = g;
	}
	if (staying > MOST_GUESTS && oldest)
		end(oldest);
	return newest;
}

void guest_judge(struct guest *guest, bool is_known)
{
	if (guest)
		guest->is_known = is_known;
}

void guest_go(struct guest *guest)
{
	if (guest)
		guest->is_here = false;
}

int guests_wait_ms(const struct guests *guests, int64_t now_ns)
{
	int64_t wait = STRANGER_MS;
	for (const struct guest *g = guests->guest; g < guests->guest + GUESTS; g++) {
		int64_t left = STRANGER_MS - (now_ns - g->since_ns) / NS_OF_MS;
		if (is_stranger(g) && left < wait)
			wait = left > 0 ? left : 0;
	}
	return (int)wait;
}

void guests_end_late(struct guests *guests, int64_t moment_ns)
{
	for (struct guest *g = guests->guest; g < guests->guest + GUESTS; g++)
		if (is_stranger(g) && moment_ns - g->since_ns >= (int64_t)STRANGER_MS * NS_OF_MS)
			end(g);
}
