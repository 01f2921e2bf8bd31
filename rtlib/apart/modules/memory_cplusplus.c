/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_cplusplus.c - memory_cplusplus.o: the functions that a program or library in C++ calls
 * instead of operator new and delete, if sisc --sis-blame links it. Called by any thread. Templates
 * of the standard library are a part of the program, so the memory of a std::vector is recorded,
 * too.
 *
 * memory_wrappers.c explains the names and attributes. --undefined=NAME makes the linker find the
 * operator in an archive even if the program calls only the wrapper. If a program replaces the
 * operators, its own ones are the __real_NAME.
 */
#include "sis/memory_calls.h"

#include <stddef.h>
#include <stdint.h>

#define WRAPPER __attribute__((weak, visibility("hidden")))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* operator new may throw an exception, which must not skip sis_memory_leave. */
static void leave(const char *unused)
{
	(void)unused;
	sis_memory_leave();
}

static inline size_t least(void)
{
	return __atomic_load_n(&sis_memory_least, __ATOMIC_RELAXED);
}

#define SIS_NEW(name, parameters, arguments)                                    \
	extern void *__real_##name parameters;                                  \
	extern void *__wrap_##name parameters WRAPPER;                          \
	static inline void *inside_##name parameters                            \
	{                                                                       \
		__attribute__((cleanup(leave))) char entered = 0;               \
		sis_memory_enter();                                             \
		(void)entered;                                                  \
		return __real_##name arguments;                                 \
	}                                                                       \
	void *__wrap_##name parameters                                          \
	{                                                                       \
		if (!UNLIKELY(bytes >= least()))                                \
			return __real_##name arguments;                         \
		void *at = inside_##name arguments;                             \
		if (at)                                                         \
			sis_memory_new(at, bytes, __builtin_return_address(0)); \
		return at;                                                      \
	}
#define SIS_DELETE(name, parameters, arguments)                                 \
	extern void __real_##name parameters;                                   \
	extern void __wrap_##name parameters WRAPPER;                           \
	void __wrap_##name parameters                                           \
	{                                                                       \
		if (UNLIKELY(least() != SIZE_MAX))                              \
			sis_memory_free(at);                                    \
		__real_##name arguments;                                        \
	}
#include "apart/modules/memory_cplusplus.def"
