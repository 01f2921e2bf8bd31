/* SPDX-License-Identifier: BSD-3-Clause */
/* device_entry.c - the entries for functions of CUDA's driver and of HIP (device_entry.def), which
 * measure how long the host waits. Called by any thread of the program, and of CUDA's runtime.
 *
 * A program finds such a function in three ways, and each way ends at an entry here:
 *
 *     by linking with the library         libsis.so comes before it, and exports entry 0
 *     by dlsym                            \
 *     by cuGetProcAddress of the driver    > sis__device_entry, with the function that was found
 *
 * One name may stand for several functions: cuGetProcAddress gives the form of the function that
 * the caller's version of CUDA wants. So a name has several entries, one for each function that was
 * found, and no entry has to know which form it calls.
 *
 * The exported names have a version that is not the default one of the name. So neither linkers nor
 * dlsym see them: a program that asks whether there is CUDA gets the answer that it would get
 * without the runtime. The dynamic linker takes them in place of names without version (libcuda),
 * because it is the first version in libsis.so, and in place of names of the version that HIP has.
 * LIMIT: HIP's functions whose names end in _spt are younger and have other versions. They are only
 * measured if they are found by dlsym or hipGetProcAddress.
 */
#include "adapters/device/device.h"
#include "adapters/libc/asleep.h"
#include "adapters/user_api/user_api.h"
#include "measure/core/drg.h"
#include "blame/stacks/callers.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

enum what { WAITS, COPIES, ASKS };
enum { NOT = -1, TO = SIS_TO_DEVICE, FROM = SIS_FROM_DEVICE, BETWEEN = SIS_BETWEEN_DEVICES };
#define ARGUMENT(position) (SIS_DIRECTIONS + (position))

enum { ENTRIES = 4, ARGUMENTS = 8 };

/* Eight arguments, in registers and on the stack. A function that has fewer of them ignores the
 * others. */
#define PARAMETERS \
	uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, \
		uint64_t h
typedef uint64_t function(PARAMETERS);

enum row {
#define SIS_DEVICE_CALL(name, what, bytes, direction) ROW_##name,
#include "adapters/device/device_entry.def"
#undef SIS_DEVICE_CALL
	ROWS
};

static const struct {
	const char *name;
	enum what what;
	int bytes, direction;
} rows[ROWS] = {
#define SIS_DEVICE_CALL(name, what, bytes, direction) { #name, what, bytes, direction },
#include "adapters/device/device_entry.def"
#undef SIS_DEVICE_CALL
};

/* The function behind each entry; NULL: none yet. An element is set once. */
static function *real[ROWS][ENTRIES];

/* -- the function behind an entry that the program is linked with ------------------------------ */

struct library {
	const char *begin;
	char path[1000];
};

static int find_library(struct dl_phdr_info *object, size_t size, void *p)
{
	struct library *library = p;
	const char *slash = strrchr(object->dlpi_name, '/');
	const char *name = slash ? slash + 1 : object->dlpi_name;
	(void)size;
	if (strncmp(name, library->begin, strlen(library->begin)) != 0 ||
	    strlen(object->dlpi_name) >= sizeof library->path)
		return 0;
	strcpy(library->path, object->dlpi_name);
	return 1;
}

/* A library that was opened with RTLD_LOCAL is not behind libsis.so, and is found by its name. It
 * then stays open, because the entry keeps the address. */
static function *find_real(enum row row)
{
	function *found = NULL;
	struct library library = { .begin = rows[row].name[0] == 'c' ? "libcuda.so" :
								       "libamdhip64.so" };
	*(void **)&found = dlsym(RTLD_NEXT, rows[row].name);
	if (found || !dl_iterate_phdr(find_library, &library))
		return found;
	void *opened = dlopen(library.path, RTLD_LAZY | RTLD_NOLOAD);
	if (opened)
		*(void **)&found = dlsym(opened, rows[row].name);
	return found;
}

static function *real_of(enum row row, unsigned entry)
{
	/* all threads store the same; functions that are found are complete */
	function *behind = __atomic_load_n(&real[row][entry], __ATOMIC_RELAXED);
	if (SIS_UNLIKELY(!behind)) {
		sis__guard(); /* sis__device_entry must not answer */
		behind = find_real(row);
		sis__unguard();
		__atomic_store_n(&real[row][entry], behind, __ATOMIC_RELAXED);
	}
	return behind;
}

/* -- what is measured -------------------------------------------------------------------------- */

static void add_bytes(enum row row, const uint64_t *argument)
{
	/* hipMemcpyHostToHost, HostToDevice, DeviceToHost, DeviceToDevice, Default */
	static const int of_kind[] = { NOT, TO, FROM, BETWEEN, NOT };
	static struct sis_counted counted[] = { { "bytes copied", 0 }, /* NOT */
						[1 + TO] = { "bytes to device", 0 },
						[1 + FROM] = { "bytes from device", 0 },
						[1 + BETWEEN] = { "bytes between devices", 0 } };
	int direction = rows[row].direction;
	if (direction >= SIS_DIRECTIONS) {
		uint32_t kind = (uint32_t)argument[direction - SIS_DIRECTIONS];
		direction = kind < sizeof of_kind / sizeof *of_kind ? of_kind[kind] : NOT;
	}
	if (rows[row].bytes != NOT)
		sis_hand_value(&counted[1 + direction], (double)argument[rows[row].bytes]);
}

/* Begins a node. Returns NULL if the call is not measured. *thread gets the calling thread. Of a
 * program that is not in C, this may be the first thing that is measured. */
static struct sis_node *begin(enum what what, struct sis_thread **thread)
{
	*thread = what == ASKS || sis__local.off ? NULL : sis__thread();
	if (!*thread || !sis__works(*thread))
		return NULL;
	return sis__begin(*thread, sis__caller_region(what == WAITS ? RT_DEVWAIT : RT_DEVCOPY), 0);
}

static uint64_t call(enum row row, unsigned entry, PARAMETERS)
{
	enum { NOT_INITIALIZED = 3 }; /* an error code of CUDA and of HIP */
	const uint64_t argument[ARGUMENTS] = { a, b, c, d, e, f, g, h };
	int saved = errno;
	struct sis_thread *thread;
	function *behind = real_of(row, entry);
	if (!behind)
		return NOT_INITIALIZED;
	struct sis_node *node = begin(rows[row].what, &thread);
	if (node && rows[row].what == COPIES)
		add_bytes(row, argument);
	errno = saved;
	uint64_t result = behind(a, b, c, d, e, f, g, h);
	saved = errno;
	if (node && sis__measured() == thread && sis__is_open(thread, node))
		sis__end(thread, node, sis__ticks());
	void **asked = (void **)(uintptr_t)b;
	if (rows[row].what == ASKS && (uint32_t)result == 0 && asked && *asked)
		*asked = sis__device_entry((const char *)(uintptr_t)a, *asked);
	errno = saved;
	return result;
}

/* -- the entries ------------------------------------------------------------------------------- */

#define ENTRY(linkage, prefix, name, number) \
	linkage uint64_t prefix##name(PARAMETERS) \
	{ \
		return call(ROW_##name, number, a, b, c, d, e, f, g, h); \
	}
#define EXPORTED(name) \
	function sis__first_##name; \
	ENTRY(SIS_EXPORT, sis__first_, name, 0) \
	__asm__(".symver sis__first_" #name ", " #name "@hip_4.2");
#define SIS_DEVICE_CALL(name, what, bytes, direction) \
	EXPORTED(name) \
	ENTRY(static, second_, name, 1) \
	ENTRY(static, third_, name, 2) \
	ENTRY(static, fourth_, name, 3)
#include "adapters/device/device_entry.def"
#undef SIS_DEVICE_CALL

static function *const entries[ROWS][ENTRIES] = {
#define SIS_DEVICE_CALL(name, what, bytes, direction) \
	{ sis__first_##name, second_##name, third_##name, fourth_##name },
#include "adapters/device/device_entry.def"
#undef SIS_DEVICE_CALL
};

/* The entry of the row that calls `behind`; NULL: all entries call other functions. Entry 0 is for
 * the function that a program is linked with. */
static function *entry_for(enum row row, function *behind)
{
	for (unsigned i = 1; i < ENTRIES; i++) {
		function *other = NULL;
		if (__atomic_compare_exchange_n(&real[row][i], &other, behind, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
		    other == behind)
			return entries[row][i];
	}
	return NULL;
}

void *sis__device_entry(const char *name, void *found)
{
	function *behind = NULL, *entry = NULL;
	*(void **)&behind = found;
	if (!found || !name || !sis__config.enabled || sis__local.inside)
		return found;
	for (enum row row = 0; row < ROWS; row++)
		if (strcmp(rows[row].name, name) == 0)
			entry = entry_for(row, behind);
	return entry ? *(void **)&entry : found;
}
