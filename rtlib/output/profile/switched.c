/* SPDX-License-Identifier: BSD-3-Clause */
/* switched.c - see switched.h. Threads of the runtime call this for regions and the trace, and each
 * thread for its own pauses. Owns the names of causes.
 *
 * The structs in the file change at the moment of the switch, so they are right even if the process
 * is killed. They need little room: one struct for each region and each of its causes. */
#include "base/lock.h"
#include "output/profile/store.h"
#include "output/profile/switched.h"
#include "output/profile/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
	CAUSES = 1000,    /* at most so many texts get a number */
	CAUSES_OF_ONE = 16,
	TEXT = 512,
	CHUNK = 16384 - sizeof(struct sis_chunk),
};

static struct sis_lock lock;       /* guards all data below */
static struct sis_chunk *filling;
static uint64_t checksum[CAUSES];  /* of the texts */
static uint32_t causes;

/* -- causes ------------------------------------------------------------------------------------ */

static uint32_t number_of(const char *text, size_t length)
{
	uint64_t sum = sis_checksum(text, length);
	for (uint32_t i = 0; i < causes; i++)
		if (checksum[i] == sum)
			return SIS_CAUSE_FIRST + i;
	if (causes == CAUSES)
		return SIS_CAUSE_OTHERS;
	checksum[causes] = sum;
	sis__text("cause", "%u\t%s", SIS_CAUSE_FIRST + causes, text);
	return SIS_CAUSE_FIRST + causes++;
}

uint32_t sis__cause(const char *format, ...)
{
	char text[TEXT];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (!sis__lock(&lock))
		return SIS_CAUSE_OTHERS;
	uint32_t number = number_of(text, strlen(text));
	sis__unlock(&lock);
	return number;
}

/* -- what was off ------------------------------------------------------------------------------ */

static struct sis_switched *make(struct sis_switched new)
{
	struct sis_switched *one = NULL;
	int saved = errno;
	if (!sis__lock(&lock))
		return NULL;
	if (!filling || filling->used + sizeof *one > CHUNK)
		filling = sis__chunk_new(SIS_CHUNK_SWITCHED, SIS_NO_SLOT, CHUNK);
	if (filling) {
		one = (struct sis_switched *)((char *)sis__payload(filling) + filling->used);
		*one = new;
		/* release: a reader of the file finds it complete */
		__atomic_store_n(&filling->used, filling->used + sizeof *one, __ATOMIC_RELEASE);
	}
	sis__unlock(&lock);
	errno = saved;
	return one;
}

struct sis_switched *sis__switched_of(sis__switched_list *list, enum sis_switched_what what,
				      uint32_t id, uint32_t cause)
{
	struct sis_switched *one, *others = NULL;
	unsigned count = 0;
	for (one = *list; one; one = one->next) {
		if (one->what != (uint32_t)what)
			continue;
		if (one->cause == cause)
			return one;
		others = one->cause == SIS_CAUSE_OTHERS ? one : others;
		count++;
	}
	if (others)
		return others;
	if (count == CAUSES_OF_ONE)
		cause = SIS_CAUSE_OTHERS;
	one = make((struct sis_switched){ .what = what, .cause = cause, .id = id, .next = *list });
	if (one)
		*list = one;
	return one;
}

static bool is_off(const struct sis_switched *one)
{
	return one->count && one->on < one->last;
}

/* If the process is killed between two stores, a reader of the file may count a time twice. The
 * reader limits the sum to the time since `first`. */
void sis__switched_off(struct sis_switched *one, uint64_t now)
{
	if (!one || is_off(one))
		return;
	if (!one->count)
		one->first = now;
	one->last = now;
	__atomic_store_n(&one->count, one->count + 1, __ATOMIC_RELEASE); /* after the times */
}

void sis__switched_on(struct sis_switched *one, uint64_t now)
{
	if (!one || !is_off(one))
		return;
	now = now > one->last ? now : one->last;
	one->ticks += now - one->last;
	__atomic_store_n(&one->on, now, __ATOMIC_RELEASE); /* after the sum */
}

/* -- the trace --------------------------------------------------------------------------------- */

static sis__switched_list traces;

void sis__switched_trace_off(uint32_t cause, uint64_t now)
{
	sis__switched_off(sis__switched_of(&traces, SIS_SWITCHED_TRACE, 0, cause), now);
}

void sis__switched_trace_on(uint64_t now)
{
	for (struct sis_switched *one = traces; one; one = one->next)
		sis__switched_on(one, now);
}

void sis__switched_new_process(void)
{
	filling = NULL;
	traces = NULL;
}
