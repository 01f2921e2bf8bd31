/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_clock.c - reads clocks by the function that the kernel maps into each process (vDSO), or
 * by a system call where there is no such function. Called by any thread, in signal handlers, too.
 *
 * The vDSO is a shared library. The function is found by the symbols in its dynamic section.
 */
#include "base/kernel_clock.h"
#include "base/state.h"

#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__ || defined __i386__
#define NAME_IN_VDSO "__vdso_clock_gettime"
#else
#define NAME_IN_VDSO "__kernel_clock_gettime"
#endif

typedef int get_time(clockid_t clock, struct timespec *time);

static const ElfW(Phdr) *find_segment(const ElfW(Ehdr) *vdso, unsigned type)
{
	const ElfW(Phdr) *segment = (const void *)((const char *)vdso + vdso->e_phoff);
	for (int i = 0; i < vdso->e_phnum; i++)
		if (segment[i].p_type == type)
			return &segment[i];
	return NULL;
}

/* The vDSO does not give the number of symbols. Linkers put the names directly behind the symbols,
 * so the symbols end where the names begin. */
static get_time *find_in_vdso(void)
{
	const ElfW(Ehdr) *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Phdr) *load = vdso ? find_segment(vdso, PT_LOAD) : NULL;
	const ElfW(Phdr) *dynamic = load ? find_segment(vdso, PT_DYNAMIC) : NULL;
	const char *from = (const char *)vdso, *names = NULL;
	const ElfW(Sym) *symbol = NULL;
	if (!dynamic)
		return NULL;
	from += load->p_offset - load->p_vaddr;
	for (const ElfW(Dyn) *d = (const void *)(from + dynamic->p_vaddr); d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_STRTAB)
			names = from + d->d_un.d_ptr;
		else if (d->d_tag == DT_SYMTAB)
			symbol = (const void *)(from + d->d_un.d_ptr);
	for (; symbol && (const char *)(symbol + 1) <= names; symbol++)
		if (symbol->st_shndx != SHN_UNDEF &&
		    strcmp(names + symbol->st_name, NAME_IN_VDSO) == 0)
			return (get_time *)(uintptr_t)(from + symbol->st_value);
	return NULL;
}

static int ask_kernel(clockid_t clock, struct timespec *time)
{
	return (int)syscall(SYS_clock_gettime, clock, time);
}

static int find_and_ask(clockid_t clock, struct timespec *time);

/* Any thread may find the function, and all threads store the same pointer. Relaxed is enough,
 * because the pointer leads to no data of another thread. */
static get_time *found = find_and_ask;

static int find_and_ask(clockid_t clock, struct timespec *time)
{
	get_time *in_vdso = find_in_vdso(), *fastest = in_vdso ? in_vdso : ask_kernel;
	__atomic_store_n(&found, fastest, __ATOMIC_RELAXED);
	return fastest(clock, time);
}

SIS_EXPORT uint64_t sis__clock_ns(clockid_t clock)
{
	struct timespec t;
	/* a confined thread reads only clocks for which the vDSO makes no system call */
	if (clock != CLOCK_MONOTONIC && sis__is_confined() &&
	    !(sis__confined_clocks && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC_RAW)))
		return 0;
	if (__atomic_load_n(&found, __ATOMIC_RELAXED)(clock, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
