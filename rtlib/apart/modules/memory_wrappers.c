/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_wrappers.c - memory_wrappers.o: the functions that a program or library calls instead of
 * malloc and the like, if sisc --sis-blame links it. Called by any thread.
 *
 * The linker gets --wrap=NAME (share/sis/wrap-memory). So a call of NAME in the linked objects
 * becomes a call of __wrap_NAME, and __real_NAME here is the function that would have been called:
 * libc's, or that of another malloc. Dynamic libraries call NAME as before. The wrappers are weak
 * symbols, so that a program's own wrappers replace them.
 *
 * A call that is not recorded costs a load and a comparison. Then the wrapper jumps to __real_NAME,
 * so that the stack is the same as without the wrapper. The arguments and errno do not change.
 * LIMIT: &malloc is the wrapper, so it differs between the program and its libraries.
 * memory_cplusplus.c has the wrappers of C++'s operator new.
 */
#include "sis/memory_calls.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SIS_MEMORY(name)                      \
	extern __typeof__(name) __real_##name; \
	extern __typeof__(name) __wrap_##name __attribute__((weak, visibility("hidden")));
#include "apart/modules/memory_entry.def"
#undef SIS_MEMORY

#define SLOW __attribute__((noinline, cold))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define CALLER __builtin_return_address(0)

static inline size_t least(void)
{
	return __atomic_load_n(&sis_memory_least, __ATOMIC_RELAXED);
}

static inline bool is_recorded(size_t bytes)
{
	return UNLIKELY(bytes >= least());
}

static inline bool is_any_recorded(void)
{
	return UNLIKELY(least() != SIZE_MAX);
}

static void *leave_with(void *at, size_t bytes, const void *from)
{
	sis_memory_leave();
	if (at)
		sis_memory_new(at, bytes, from);
	return at;
}

/* -- allocations ------------------------------------------------------------------------------- */

SLOW static void *record_malloc(size_t bytes, const void *from)
{
	sis_memory_enter();
	return leave_with(__real_malloc(bytes), bytes, from);
}

void *__wrap_malloc(size_t bytes)
{
	return is_recorded(bytes) ? record_malloc(bytes, CALLER) : __real_malloc(bytes);
}

SLOW static void *record_calloc(size_t count, size_t size, const void *from)
{
	sis_memory_enter();
	return leave_with(__real_calloc(count, size), count * size, from);
}

void *__wrap_calloc(size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || !is_recorded(bytes))
		return __real_calloc(count, size);
	return record_calloc(count, size, CALLER);
}

SLOW static int record_posix_memalign(void **at, size_t alignment, size_t bytes, const void *from)
{
	sis_memory_enter();
	int failed = __real_posix_memalign(at, alignment, bytes);
	leave_with(failed ? NULL : *at, bytes, from);
	return failed;
}

int __wrap_posix_memalign(void **at, size_t alignment, size_t bytes)
{
	return is_recorded(bytes) ? record_posix_memalign(at, alignment, bytes, CALLER)
				  : __real_posix_memalign(at, alignment, bytes);
}

SLOW static void *record_aligned_alloc(size_t alignment, size_t bytes, const void *from)
{
	sis_memory_enter();
	return leave_with(__real_aligned_alloc(alignment, bytes), bytes, from);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	return is_recorded(bytes) ? record_aligned_alloc(alignment, bytes, CALLER)
				  : __real_aligned_alloc(alignment, bytes);
}

SLOW static void *record_memalign(size_t alignment, size_t bytes, const void *from)
{
	sis_memory_enter();
	return leave_with(__real_memalign(alignment, bytes), bytes, from);
}

void *__wrap_memalign(size_t alignment, size_t bytes)
{
	return is_recorded(bytes) ? record_memalign(alignment, bytes, CALLER)
				  : __real_memalign(alignment, bytes);
}

SLOW static void *record_valloc(size_t bytes, const void *from)
{
	sis_memory_enter();
	return leave_with(__real_valloc(bytes), bytes, from);
}

void *__wrap_valloc(size_t bytes)
{
	return is_recorded(bytes) ? record_valloc(bytes, CALLER) : __real_valloc(bytes);
}

/* For functions that allocate a string, whose length is known only afterwards. */
static char *leave_with_text(char *text, const void *from)
{
	size_t bytes = text ? strlen(text) + 1 : 0;
	leave_with(bytes && is_recorded(bytes) ? text : NULL, bytes, from);
	return text;
}

SLOW static char *record_strdup(const char *text, const void *from)
{
	sis_memory_enter();
	return leave_with_text(__real_strdup(text), from);
}

char *__wrap_strdup(const char *text)
{
	return is_any_recorded() ? record_strdup(text, CALLER) : __real_strdup(text);
}

SLOW static char *record_strndup(const char *text, size_t most, const void *from)
{
	sis_memory_enter();
	return leave_with_text(__real_strndup(text, most), from);
}

char *__wrap_strndup(const char *text, size_t most)
{
	return is_any_recorded() ? record_strndup(text, most, CALLER)
				 : __real_strndup(text, most);
}

void __wrap_free(void *at)
{
	if (is_any_recorded())
		sis_memory_free(at);
	__real_free(at);
}

/* -- blocks that move -------------------------------------------------------------------------- */

/* `to` is the result of the function. If `to` is NULL, either the function failed and the block has
 * not moved, or the new size is 0 and the block was freed. */
static void *leave_moved(const struct sis_memory_taken *taken, void *to, size_t bytes,
			 const void *from)
{
	sis_memory_leave();
	if (to || bytes == 0)
		sis_memory_put(taken, to, bytes, from);
	else
		sis_memory_put(taken, (void *)(uintptr_t)taken->begin, taken->end - taken->begin,
			       from);
	return to;
}

SLOW static void *record_realloc(void *at, size_t bytes, const void *from)
{
	struct sis_memory_taken taken;
	sis_memory_take(at, &taken);
	sis_memory_enter();
	return leave_moved(&taken, __real_realloc(at, bytes), bytes, from);
}

void *__wrap_realloc(void *at, size_t bytes)
{
	return is_any_recorded() ? record_realloc(at, bytes, CALLER) : __real_realloc(at, bytes);
}

SLOW static void *record_reallocarray(void *at, size_t count, size_t size, const void *from)
{
	struct sis_memory_taken taken;
	sis_memory_take(at, &taken);
	sis_memory_enter();
	return leave_moved(&taken, __real_reallocarray(at, count, size), count * size, from);
}

void *__wrap_reallocarray(void *at, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || !is_any_recorded())
		return __real_reallocarray(at, count, size);
	return record_reallocarray(at, count, size, CALLER);
}

/* -- mappings ---------------------------------------------------------------------------------- */

static void *leave_with_mapping(void *at, size_t bytes, const void *from)
{
	sis_memory_leave();
	if (at != MAP_FAILED)
		sis_memory_mapped(at, bytes, from);
	return at;
}

void *__wrap_mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset)
{
	if (!is_any_recorded())
		return __real_mmap(at, bytes, access, flags, file, offset);
	sis_memory_enter();
	return leave_with_mapping(__real_mmap(at, bytes, access, flags, file, offset), bytes,
				  CALLER);
}

void *__wrap_mmap64(void *at, size_t bytes, int access, int flags, int file, off64_t offset)
{
	if (!is_any_recorded())
		return __real_mmap64(at, bytes, access, flags, file, offset);
	sis_memory_enter();
	return leave_with_mapping(__real_mmap64(at, bytes, access, flags, file, offset), bytes,
				  CALLER);
}

int __wrap_munmap(void *at, size_t bytes)
{
	if (is_any_recorded())
		sis_memory_unmap(at, bytes);
	return __real_munmap(at, bytes);
}

SLOW static void *record_mremap(void *at, size_t before, size_t bytes, int flags, void *to,
				const void *from)
{
	struct sis_memory_taken taken = { 0 };
	/* If the mapping also stays at its old address, the new one is an additional mapping. */
	bool is_copied = before == 0;
#ifdef MREMAP_DONTUNMAP
	is_copied |= (flags & MREMAP_DONTUNMAP) != 0;
#endif
	if (!is_copied)
		sis_memory_take_mapped(at, before, &taken);
	sis_memory_enter();
	void *now = __real_mremap(at, before, bytes, flags, to);
	sis_memory_leave();
	if (now == MAP_FAILED)
		sis_memory_put_mapped(&taken, (void *)(uintptr_t)taken.begin,
				      taken.end - taken.begin, from);
	else
		sis_memory_put_mapped(&taken, now, bytes, from);
	return now;
}

/* libc's mremap reads the last argument only if the flags say so. */
void *__wrap_mremap(void *at, size_t before, size_t bytes, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	void *to = va_arg(rest, void *);
	va_end(rest);
	return is_any_recorded() ? record_mremap(at, before, bytes, flags, to, CALLER)
				 : __real_mremap(at, before, bytes, flags, to);
}

/* -- the runtime ------------------------------------------------------------------------------- */

__attribute__((constructor)) static void begin(void)
{
	sis_memory_wrapped();
}
