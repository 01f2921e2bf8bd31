/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_dlsym.c - the interposed dlsym. If the program takes a routine of MPI from a library that it
 * has opened, the program gets the entry of this routine (mpi_entry.c), so that its calls are
 * measured. The entries of the drivers of devices (adapters/device/) are found likewise. Called by
 * any thread.
 * The idea: RTLD_NEXT and RTLD_DEFAULT depend on the address to which dlsym returns. So with these
 * two, the interposed function is one jump to the real one. They find the entries themselves. With
 * a handle, the caller does not matter.
 */
#include "adapters/device/device.h"
#include "apart/mpi_entry/jump.h"
#include "apart/mpi_entry/mpi_entry.h"

#include <dlfcn.h>
#include <string.h>

/* The first version of dlsym. All versions of libc have it, and dlvsym allocates memory if it does
 * not find a version. */
#if defined(__x86_64__)
#define VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define VERSION "GLIBC_2.17"
#endif

typedef void *dlsym_function(void *, const char *);

/* Another library's constructor may call dlsym before this library's constructors run. So the first
 * call finds the real dlsym. */
extern char sis_first_dlsym[] __attribute__((visibility("hidden")));
void *sis_at_dlsym __attribute__((visibility("hidden"))) = sis_first_dlsym;

void sis__mpi_find_dlsym(void) __attribute__((visibility("hidden")));
void *sis__mpi_dlsym(void *library, const char *name) __attribute__((visibility("hidden")));

/* RTLD_DEFAULT is 0, RTLD_NEXT is -1. */
#if defined(__x86_64__)
__asm__(".text\n	.globl dlsym\n" SIS_JUMP_FUNCTION("dlsym")
	"	lea 1(%rdi), %rax\n	cmp $1, %rax\n	ja sis__mpi_dlsym\n"
	SIS_TAIL_JUMP("sis_at_dlsym")
	SIS_JUMP_FUNCTION("sis_first_dlsym")
	"	push %rdi\n	push %rsi\n	sub $8, %rsp\n"
	"	call sis__mpi_find_dlsym\n"
	"	add $8, %rsp\n	pop %rsi\n	pop %rdi\n"
	SIS_TAIL_JUMP("sis_at_dlsym"));
#elif defined(__aarch64__)
__asm__(".text\n	.globl dlsym\n" SIS_JUMP_FUNCTION("dlsym")
	"	add x16, x0, #1\n	cmp x16, #1\n	b.ls 1f\n	b sis__mpi_dlsym\n1:\n"
	SIS_TAIL_JUMP("sis_at_dlsym")
	SIS_JUMP_FUNCTION("sis_first_dlsym")
	"	stp x29, x30, [sp, #-32]!\n	stp x0, x1, [sp, #16]\n"
	"	bl sis__mpi_find_dlsym\n"
	"	ldp x0, x1, [sp, #16]\n	ldp x29, x30, [sp], #32\n"
	SIS_TAIL_JUMP("sis_at_dlsym"));
#endif

/* dlvsym finds libc's dlsym, because other libraries have no versions of this name. That one finds
 * the next dlsym, which may be that of another preloaded library. There is no next one if a library
 * of the program needs this library, and libc comes before it. */
void sis__mpi_find_dlsym(void)
{
	void *of_libc = dlvsym(RTLD_DEFAULT, "dlsym", VERSION);
	void *next = ((dlsym_function *)of_libc)(RTLD_NEXT, "dlsym");
	if (!next) {
		next = of_libc;
		dlerror(); /* clears the error of a missing name, or the program would see it */
	}
	__atomic_store_n(&sis_at_dlsym, next, __ATOMIC_RELAXED); /* all threads store the same */
}

void *sis__mpi_real_dlsym(void *library, const char *name)
{
	dlsym_function *real = (dlsym_function *)__atomic_load_n(&sis_at_dlsym, __ATOMIC_RELAXED);
	return real(library, name);
}

/* Only a routine of the library that the entries would choose is replaced. A tool may have opened
 * modules of its own that define routines of MPI, or a second copy of the library in a namespace of
 * its own (dlmopen). */
void *sis__mpi_dlsym(void *library, const char *name)
{
	void *found = sis__mpi_real_dlsym(library, name), *entry;
	if (!found || (strncmp(name, "MPI_", 4) != 0 && strncmp(name, "PMPI_", 5) != 0))
		return sis__device_entry(name, found);
	entry = sis__mpi_entry(name);
	if (!entry)
		return found;
	struct sis_mpi_library known = sis__mpi_known_library();
	if (known.handle) {
		if (found == sis__mpi_real_dlsym(known.handle, name))
			found = entry;
		dlclose(known.handle);
	}
	dlerror(); /* clears the error of a missing name, or the program would see it */
	return found;
}
