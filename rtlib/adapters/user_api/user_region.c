/* SPDX-License-Identifier: BSD-3-Clause */
/* user_region.c - regions that the program names itself, through sis/sis.h. Called by any thread,
 * mostly once for each place in the source.
 *
 * When a name is first used, it becomes a translation unit with one region, which is described and
 * registered like any other. The places that use the name store the region's id, and are ordinary
 * probes from then on. With SIS_PARAMETER each pair of name and value is such a region. The region
 * is found without a lock, in a table that only grows.
 */
#include "base/lock.h"
#include "measure/core/drg.h"
#include "measure/core/record_log.h"
#include "measure/core/thread.h"
#include "process/open.h"
#include "adapters/user_api/user_api.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { TABLE = 8192, NAMES = TABLE * 3 / 4, VALUES = 1000, KEPT_BLOCK = 64 << 10,
       JSON = 8192 /* two names of LONGEST characters that are escaped, and the rest */ };

enum kind { NAME, BASE /* of values; no region */, VALUE, OTHERS /* values beyond VALUES */ };

struct named { /* complete before it can be found; afterwards only `values` changes */
	enum kind kind;
	uint32_t values;          /* BASE: number of values */
	const char *name;
	const struct named *base; /* for VALUE and OTHERS */
	long long value;
	struct sis_region region;
};

static struct named *table[TABLE]; /* open addressing; NULL: free */
static uint32_t named_count; /* elements of `table` in use */
static struct sis_lock lock; /* held while an element is added */

/* -- memory ------------------------------------------------------------------------------------ */

void *sis__keep(const void *data, size_t size)
{
	static struct sis_lock kept_lock;
	static char *block, *end;
	void *kept = NULL;
	if (!sis__lock(&kept_lock))
		return NULL;
	size_t room = (size + 15) / 16 * 16, fresh = room > KEPT_BLOCK ? room : KEPT_BLOCK;
	if ((size_t)(end - block) < room) {
		void *memory = mmap(NULL, fresh, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		block = memory == MAP_FAILED ? NULL : memory;
		end = block ? block + fresh : NULL;
	}
	if (block) {
		kept = memcpy(block, data, size);
		block += room;
	}
	sis__unlock(&kept_lock);
	return kept;
}

/* -- what is known ----------------------------------------------------------------------------- */

static bool is_it(const struct named *named, const struct named *wanted)
{
	return named->kind == wanted->kind && named->base == wanted->base &&
	       named->value == wanted->value &&
	       (named->base || strcmp(named->name, wanted->name) == 0);
}

/* The slot where `wanted` is, or would be stored. *known gets the slot's content; NULL: the slot is
 * free.
 */
static struct named **slot_of(const struct named *wanted, struct named **known)
{
	uint64_t h = (uintptr_t)wanted->base ^ (uint64_t)wanted->value * SIS_HASH_MULTIPLIER;
	if (!wanted->base)
		h = sis_checksum(wanted->name, strlen(wanted->name));
	h = (h + wanted->kind) * SIS_HASH_SECOND;
	for (uint64_t i = h ^ h >> 32;; i++) {
		struct named **slot = &table[i % TABLE];
		*known = __atomic_load_n(slot, __ATOMIC_ACQUIRE); /* pairs with know's release */
		if (!*known || is_it(*known, wanted))
			return slot;
	}
}

static struct named *find_named(enum kind kind, const char *name, const struct named *base,
			  long long value)
{
	struct named *known;
	slot_of(&(struct named){ .kind = kind, .name = name, .base = base, .value = value },
		&known);
	return known;
}

/* -- describing -------------------------------------------------------------------------------- */

struct text { char at[JSON]; size_t length; };

static __attribute__((format(printf, 2, 3))) void put(struct text *text, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int n = vsnprintf(text->at + text->length, JSON - text->length, format, arguments);
	va_end(arguments);
	if (n > 0)
		text->length = text->length + (size_t)n < JSON ? text->length + (size_t)n
							       : JSON - 1;
}

static void put_string(struct text *text, const char *string)
{
	enum { LONGEST = 500 };
	for (int i = 0; string[i] && i < LONGEST; i++) {
		unsigned char c = (unsigned char)string[i];
		put(text, c < ' ' || c == '"' || c == '\\' ? "\\u%04x" : "%c", c);
	}
}

static void put_member(struct text *text, const char *key, const char *value)
{
	put(text, "\"%s\":\"", key);
	put_string(text, value);
	put(text, "\",");
}

/* Describes the region as sisc does. Compiler and flags are empty, since no compiler made it. */
static void describe(struct text *text, const struct sis_place *place, const char *name)
{
	put(text, "{");
	put_member(text, "source", place->file);
	put(text,
	    "\"directory\":\"\",\"compiler\":\"\",\"flags\":\"\",\"sisc\":\"\","
	    "\"checksum\":\"\",\"regions\":[{\"id\":0,");
	put_member(text, "name", name);
	put_member(text, "file", place->file);
	put_member(text, "unit", place->function);
	put(text,
	    "\"type\":\"CR_A\",\"metrics\":[],\"line_start\":%u,\"column_start\":0,"
	    "\"line_end\":%u,\"column_end\":0,",
	    place->line, place->line);
	put(text, "\"aux\":{\"parent\":-1,\"entries\":1,\"exits\":1,\"by_hand\":true},\"key\":\"");
	put_string(text, place->file);
	put(text, "::CR_A:");
	put_string(text, name);
	put(text, ":0\"}]}");
}

/* -- adding ------------------------------------------------------------------------------------ */

/* Finds or adds an element. The caller holds the lock. Returns NULL if there is no room. */
static struct named *know(const struct sis_place *place, enum kind kind, const char *name,
			  const struct named *base, long long value)
{
	struct named made = { .kind = kind, .name = name, .base = base, .value = value }, *named;
	struct named **at = slot_of(&made, &named);
	if (named || named_count >= NAMES)
		return named;
	made.name = sis__keep(name, strlen(name) + 1);
	named = made.name ? sis__keep(&made, sizeof made) : NULL;
	if (!named)
		return NULL;
	if (kind != BASE) {
		struct text text = { .length = 0 };
		describe(&text, place, named->name);
		named->region = (struct sis_region){ SIS_ID_UNREGISTERED(0), 0, "CR_A - -" };
		struct sis_unit unit = { SIS_PROBE_ABI, 1, text.at, text.length, NULL,
					 &named->region };
		sis__unit_register_by_hand(&unit);
		if (named->region.id == SIS_ID_UNREGISTERED(0))
			named->region.id = SIS_ID_OFF;
	}
	__atomic_store_n(&named_count, named_count + 1, __ATOMIC_RELAXED);
	__atomic_store_n(at, named, __ATOMIC_RELEASE);
	return named;
}

static bool is_full(const struct named *base)
{
	return __atomic_load_n(&base->values, __ATOMIC_RELAXED) >= VALUES ||
	       __atomic_load_n(&named_count, __ATOMIC_RELAXED) >= NAMES - 1;
}

static struct named *know_value(const struct sis_place *place, struct named *base, long long value)
{
	char name[300];
	struct named *named = find_named(VALUE, NULL, base, value);
	if (named)
		return named;
	if (is_full(base)) {
		snprintf(name, sizeof name, "%.200s=*", base->name);
		return know(place, OTHERS, name, base, 0);
	}
	snprintf(name, sizeof name, "%.200s=%lld", base->name, value);
	named = know(place, VALUE, name, base, value);
	if (named)
		__atomic_store_n(&base->values, base->values + 1, __ATOMIC_RELAXED);
	return named;
}

/* -- for the program --------------------------------------------------------------------------- */

/* Returns false if the thread is already in the runtime: the caller is a signal handler that
 * interrupted the runtime, or a function of the program that the runtime called. */
static bool enter_runtime(sigset_t *before)
{
	if (sis__local.inside)
		return false;
	sis__guard_alone(before);
	if (sis__lock(&lock))
		return true;
	sis__unguard_alone(before);
	return false;
}

static void leave_runtime(const sigset_t *before)
{
	sis__unlock(&lock);
	sis__unguard_alone(before);
}

/* Stores the result in the place, so that it need not be searched again. Regions do not change. */
static void keep_known(struct sis_place *place, const void *known)
{
	if (known)
		/* pairs with the acquires in sis.h and sis_hand_parameter */
		__atomic_store_n(&place->known, known, __ATOMIC_RELEASE);
}

SIS_EXPORT const struct sis_region *sis_hand_region(struct sis_place *place)
{
	int saved = errno;
	sigset_t before;
	const struct named *named = NULL;
	if (enter_runtime(&before)) {
		named = know(place, NAME, place->name, NULL, 0);
		leave_runtime(&before);
	}
	errno = saved;
	if (named)
		keep_known(place, &named->region);
	return named ? &named->region : NULL;
}

SIS_EXPORT const struct sis_region *sis_hand_begun(struct sis_place *place)
{
	const struct named *named = find_named(NAME, place->name, NULL, 0);
	if (named)
		keep_known(place, &named->region);
	return named ? &named->region : NULL;
}

SIS_EXPORT const struct sis_region *sis_hand_parameter(struct sis_place *place, long long value)
{
	int saved = errno;
	sigset_t before;
	/* `named`: region of the value, or of all values beyond VALUES; NULL: has to be added */
	const struct named *known = __atomic_load_n(&place->known, __ATOMIC_ACQUIRE);
	const struct named *named = known ? find_named(VALUE, NULL, known, value) : NULL;
	if (known && !named && is_full(known))
		named = find_named(OTHERS, NULL, known, 0);
	if (SIS_UNLIKELY(!named) && enter_runtime(&before)) {
		struct named *base = know(place, BASE, place->name, NULL, 0);
		named = base ? know_value(place, base, value) : NULL;
		keep_known(place, base);
		leave_runtime(&before);
	}
	errno = saved;
	return named ? &named->region : NULL;
}

/* -- pausing ----------------------------------------------------------------------------------- */

/* Unlike `measure disable`, pause and resume need not be in one block. A function that was entered
 * between pause and resume stays unmeasured until it is left, so that its leave does not match
 * another enter.
 */
SIS_EXPORT void sis__pause_for(uint32_t cause)
{
	sis__local.paused++;
	sis__mute(cause);
}

SIS_EXPORT void sis_hand_pause(void)
{
	sis__pause_for(SIS_CAUSE_PAUSE);
}

SIS_EXPORT void sis_hand_resume(void)
{
	if (sis__local.paused)
		sis__local.paused--;
	sis__unmute();
}

/* The time for writing to the disk is booked as cost of the probes. */
SIS_EXPORT void sis_hand_flush(void)
{
	int saved = errno;
	struct sis_thread *thread = sis__thread();
	if (sis__store_is_live() && !sis__local.inside && !sis__is_confined()) {
		sis__guard();
		uint64_t began = sis__ticks();
		if (thread) {
			thread->pub.stamp = began;
			sis__record_commit(thread);
		}
		msync(sis__store.base, sis__header()->size, MS_SYNC);
		if (thread)
			sis__book(thread, thread->pub.current, RT_PROBE, sis__ticks() - began);
		sis__unguard();
	}
	errno = saved;
}
