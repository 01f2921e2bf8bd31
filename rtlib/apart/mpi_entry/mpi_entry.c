/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_entry.c - libsis-mpi.so: the entries MPI_X and PMPI_X of all wrapped routines, which jump to
 * the wrappers for the MPI library of this process. Called by any thread that calls MPI.
 *
 * The idea: at the first call of MPI the MPI library is loaded, and can be identified. Until then
 * an entry jumps to `sis_first_...`, which chooses the wrappers and then jumps to the right one.
 * mpi_entries.inc lists the routines, as SIS_MPI_ENTRY(MPI_X).
 */
#include "apart/mpi_entry/jump.h"
#include "apart/mpi_entry/mpi_entry.h"
#include "base/modules.h"
#include "output/merged_file/unify.h"
#include "output/profile/text.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#define SIS_MPI_ENTRY(name) \
	extern char sis_first_##name[] __attribute__((visibility("hidden"))); \
	extern char sis_entry_##name[] __attribute__((visibility("hidden"))); \
	void *sis_at_##name __attribute__((visibility("hidden"))) = sis_first_##name; \
	__asm__(".text\n	.globl " #name "\n	.globl P" #name "\n" \
		SIS_JUMP_FUNCTION("P" #name) SIS_JUMP_FUNCTION(#name) \
		SIS_JUMP_FUNCTION("sis_entry_" #name) \
		SIS_TAIL_JUMP("sis_at_" #name) \
		SIS_JUMP_FUNCTION("sis_first_" #name) SIS_CHOOSE("sis_at_" #name));

/* Saves all registers of arguments, chooses the wrappers, and jumps to the address that the entry
 * now has.
 */
#if defined(__x86_64__)
#define SIS_CHOOSE(slot) "	lea " slot "(%rip), %r11\n	jmp sis_first_call\n"
__asm__(".text\n" SIS_JUMP_FUNCTION("sis_first_call")
	"	push %rdi\n	push %rsi\n	push %rdx\n	push %rcx\n	push %r8\n"
	"	push %r9\n	push %rax\n	push %r11\n	sub $8, %rsp\n"
	"	call sis__mpi_choose\n"
	"	add $8, %rsp\n	pop %r11\n	pop %rax\n	pop %r9\n	pop %r8\n"
	"	pop %rcx\n	pop %rdx\n	pop %rsi\n	pop %rdi\n"
	"	jmp *(%r11)\n");
#elif defined(__aarch64__)
#define SIS_CHOOSE(slot) \
	"	adrp x17, " slot "\n	add x17, x17, :lo12:" slot "\n	b sis_first_call\n"
__asm__(".text\n" SIS_JUMP_FUNCTION("sis_first_call")
	"	stp x29, x30, [sp, #-96]!\n	stp x0, x1, [sp, #16]\n	stp x2, x3, [sp, #32]\n"
	"	stp x4, x5, [sp, #48]\n	stp x6, x7, [sp, #64]\n	str x17, [sp, #80]\n"
	"	bl sis__mpi_choose\n"
	"	ldr x17, [sp, #80]\n	ldp x6, x7, [sp, #64]\n	ldp x4, x5, [sp, #48]\n"
	"	ldp x2, x3, [sp, #32]\n	ldp x0, x1, [sp, #16]\n	ldp x29, x30, [sp], #96\n"
	"	ldr x16, [x17]\n	br x16\n");
#endif

#include "mpi_entries.inc"
#undef SIS_MPI_ENTRY

static const struct { const char *name; void *entry, **at; } entries[] = {
#define SIS_MPI_ENTRY(name) { #name, sis_entry_##name, &sis_at_##name },
#include "mpi_entries.inc"
};

void *sis__mpi_entry(const char *name)
{
	name += *name == 'P';
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
		if (strcmp(name, entries[i].name) == 0)
			return entries[i].entry;
	return NULL;
}

static void *bind_wrappers(const struct sis_mpi_library *library)
{
	void *wrappers = sis__open_beside(library->wrappers, 0);
	sis_mpi_bind_function *bind = NULL;
	if (wrappers)
		bind = (sis_mpi_bind_function *)sis__mpi_real_dlsym(wrappers, "sis_mpi_bind");
	if (!bind)
		return NULL;
	bind(library->handle, sis__mpi_real_dlsym);
	return wrappers;
}

/* Sets the addresses to which the entries jump. If there are no wrappers, the entries jump to the
 * library, and calls are not measured. */
static void choose(void)
{
	struct sis_mpi_library library = sis__mpi_library();
	void *wrappers = library.wrappers ? bind_wrappers(&library) : NULL;
	Dl_info where;
	if (!library.handle)
		sis__warn("calls of MPI fail: no MPI library is loaded; link the program with "
			  "-Wl,--no-as-needed");
	else if (!library.wrappers &&
		 dladdr(sis__mpi_real_dlsym(library.handle, "MPI_Init"), &where))
		sis__warn("calls of MPI are not measured: SIS has no wrappers for the library '%s'",
			  where.dli_fname);
	else if (!wrappers)
		sis__warn("calls of MPI are not measured: no '%s': install SIS again where the "
			  "mpi.h of this MPI library is", library.wrappers);
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		void *to = wrappers ? sis__mpi_real_dlsym(wrappers, entries[i].name) : NULL;
		if (!to && library.handle)
			to = sis__mpi_real_dlsym(library.handle, entries[i].name);
		to = to ? to : (void *)sis__mpi_is_missing;
		__atomic_store_n(entries[i].at, to, __ATOMIC_RELAXED);
	}
	dlerror(); /* clears the error of a missing name, or the program would see it */
}

__attribute__((constructor)) static void announce(void)
{
	sis__unify_announce();
}

void sis__mpi_choose(void) __attribute__((visibility("hidden")));

void sis__mpi_choose(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, choose);
}
