/* by_hand.c - regions that the program names itself, through sis/sis.h. Any thread, mostly once for each place.
 *
 * A name becomes a unit of one region when it is first met: described, registered, found again in the file like any
 * other. Its places keep the id, and are ordinary probes from then on. With a value, each pair of name and value is
 * such a region, found without a lock in a table that only grows.
 */
#include "by_hand.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { TABLE = 8192, NAMES = TABLE * 3 / 4, VALUES = 1000, KEPT_BLOCK = 64 << 10, JSON = 4096 };

struct named {
	char *name;
	const struct named *base; /* of `name=value`, the name alone; NULL: this has no value ... */
	long long value;
	bool others;              /* ... or stands for the values past the most */
	uint32_t values;          /* with this base, but for the others */
	struct sis_region region;
};

static struct named *table[TABLE]; /* open addressing; NULL: free */
static uint32_t named_count;
static struct sis_lock lock; /* guards what is added */

/* -- memory ------------------------------------------------------------------------------------------------ */

void *sis__keep(const void *data, size_t size)
{
	static struct sis_lock kept_lock;
	static char *block, *end;
	void *kept = NULL;
	if (!sis__lock(&kept_lock))
		return NULL;
	size_t room = (size + 15) / 16 * 16, fresh = room > KEPT_BLOCK ? room : KEPT_BLOCK;
	if ((size_t)(end - block) < room) {
		void *memory = mmap(NULL, fresh, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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

/* -- what is known ----------------------------------------------------------------------------------------- */

static uint64_t hash(const char *name, const struct named *base, long long value)
{
	uint64_t h = base ? (uintptr_t)base ^ (uint64_t)value * 0x9e3779b97f4a7c15u : sis_checksum(name, strlen(name));
	h *= 0xff51afd7ed558ccdu;
	return h ^ h >> 32;
}

static bool is_it(const struct named *named, const char *name, const struct named *base, long long value, bool others)
{
	if (named->base != base)
		return false;
	return base ? named->others == others && named->value == value : strcmp(named->name, name) == 0;
}

/* The place of a name, or of a value of `base`; *place is NULL where it is not known yet. */
static struct named **find(const char *name, const struct named *base, long long value, bool others)
{
	for (uint64_t i = hash(name, base, value) + others;; i++) {
		struct named **place = &table[i % TABLE];
		const struct named *named = __atomic_load_n(place, __ATOMIC_ACQUIRE); /* with the release in add */
		if (!named || is_it(named, name, base, value, others))
			return place;
	}
}

/* -- describing -------------------------------------------------------------------------------------------- */

struct text { char at[JSON]; size_t length; };

static __attribute__((format(printf, 2, 3))) void put(struct text *text, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int n = vsnprintf(text->at + text->length, JSON - text->length, format, arguments);
	va_end(arguments);
	if (n > 0)
		text->length = text->length + (size_t)n < JSON ? text->length + (size_t)n : JSON - 1;
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

/* As sisc describes regions; no compiler stands in it, since this unit is no part of a build. */
static void describe(struct text *text, const struct sis_place *place, const char *name)
{
	put(text, "{");
	put_member(text, "source", place->file);
	put(text, "\"directory\":\"\",\"compiler\":\"\",\"flags\":\"\",\"sisc\":\"\",\"checksum\":\"\",\"regions\":[{\"id\":0,");
	put_member(text, "name", name);
	put_member(text, "file", place->file);
	put_member(text, "unit", place->function);
	put(text, "\"type\":\"CR_A\",\"metrics\":[],\"line_start\":%u,\"column_start\":0,\"line_end\":%u,\"column_end\":0,",
	    place->line, place->line);
	put(text, "\"aux\":{\"parent\":-1,\"entries\":1,\"exits\":1,\"by_hand\":true},\"key\":\"");
	put_string(text, place->file);
	put(text, "::CR_A:");
	put_string(text, name);
	put(text, ":0\"}]}");
}

static void register_region(struct named *named, const struct sis_place *place)
{
	struct text text = { .length = 0 };
	describe(&text, place, named->name);
	named->region = (struct sis_region){ SIS_ID_UNREGISTERED(0), 0, "CR_A - -" };
	struct sis_unit unit = { SIS_PROBE_ABI, 1, text.at, text.length, NULL, &named->region };
	sis__unit_register(&unit);
	if (sis__is_new(&named->region))
		named->region.id = SIS_ID_OFF;
}

/* -- adding ------------------------------------------------------------------------------------------------ */

/* What is known of it, added if need be: its region is registered afterwards. Holds the lock. NULL: no room. */
static struct named *know(const char *name, struct named *base, long long value, bool others)
{
	struct named **at = find(name, base, value, others);
	if (*at || named_count >= NAMES)
		return *at;
	struct named made = { .base = base, .value = value, .others = others };
	made.region.id = SIS_ID_UNREGISTERED(0);
	made.name = sis__keep(name, strlen(name) + 1);
	struct named *named = made.name ? sis__keep(&made, sizeof made) : NULL;
	if (!named)
		return NULL;
	named_count++;
	__atomic_store_n(at, named, __ATOMIC_RELEASE);
	return named;
}

static bool is_full(const struct named *base)
{
	return __atomic_load_n(&base->values, __ATOMIC_RELAXED) >= VALUES || named_count >= NAMES - 1;
}

static struct named *know_value(struct named *base, long long value)
{
	char name[300];
	bool others = is_full(base);
	snprintf(name, sizeof name, others ? "%.200s=*" : "%.200s=%lld", base->name, value);
	struct named *named = know(name, base, others ? 0 : value, others);
	if (named && !others)
		__atomic_store_n(&base->values, base->values + 1, __ATOMIC_RELAXED);
	return named;
}

/* -- for the program ---------------------------------------------------------------------------------------- */

/* The id goes last: with it the place begins to measure, in whatever thread. */
static void take_over(struct sis_place *place, const struct sis_region *region)
{
	place->region.set = region->set;
	__atomic_store_n(&place->region.id, region->id, __ATOMIC_RELEASE);
}

SIS_EXPORT void sis_hand_register(struct sis_place *place)
{
	int saved = errno;
	if (sis__local.inside)
		return;
	sis__guard();
	if (sis__lock(&lock)) {
		struct named *named = know(place->name, NULL, 0, false);
		if (named && sis__is_new(&named->region))
			register_region(named, place);
		sis__unlock(&lock);
		if (named)
			take_over(place, &named->region);
	}
	sis__unguard();
	errno = saved;
}

SIS_EXPORT void sis_hand_find(struct sis_place *place)
{
	const struct named *named = *find(place->name, NULL, 0, false);
	if (named && !sis__is_new(&named->region))
		take_over(place, &named->region);
}

static const struct named *value_of(struct sis_place *place, long long value)
{
	if (!sis__lock(&lock))
		return NULL;
	struct named *base = know(place->name, NULL, 0, false), *named = NULL;
	if (base) {
		__atomic_store_n(&place->known, base, __ATOMIC_RELEASE); /* with the acquire in known_value */
		named = *find(NULL, base, value, false);
		named = named ? named : know_value(base, value);
	}
	if (named && sis__is_new(&named->region))
		register_region(named, place);
	sis__unlock(&lock);
	return named;
}

/* The value's region, or that of all past the most; NULL: to be added. */
static const struct named *known_value(const struct sis_place *place, long long value)
{
	const struct named *base = __atomic_load_n(&place->known, __ATOMIC_ACQUIRE);
	const struct named *named = base ? *find(NULL, base, value, false) : NULL;
	if (base && !named && is_full(base))
		named = *find(NULL, base, 0, true);
	return named && !sis__is_new(&named->region) ? named : NULL;
}

SIS_EXPORT const struct sis_region *sis_hand_parameter(struct sis_place *place, long long value)
{
	const struct named *named = known_value(place, value);
	if (!named && !sis__local.inside) {
		int saved = errno;
		sis__guard();
		named = value_of(place, value);
		sis__unguard();
		errno = saved;
	}
	return named ? &named->region : NULL;
}

/* -- pausing ------------------------------------------------------------------------------------------------ */

/* Unlike `measure disable` these need not stand in one block: a function that was entered between them stays unmeasured
 * until it is left, so that its leave matches nothing else. */
SIS_EXPORT void sis_hand_pause(void)
{
	sis__local.muted++;
	sis__refresh();
}

SIS_EXPORT void sis_hand_resume(void)
{
	if (sis__local.muted)
		sis__local.muted--;
	sis__refresh();
}

/* What the disk takes is no work of the program's. */
SIS_EXPORT void sis_hand_flush(void)
{
	int saved = errno;
	struct sis_thread *thread = sis__thread();
	if (sis__store_is_live() && !sis__local.inside) {
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
