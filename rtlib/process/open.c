/* SPDX-License-Identifier: BSD-3-Clause */
/* open.c - opens the profile when the first thread or translation unit is to be measured. Called by
 * one thread at a time; a forked child opens a file of its own.
 *
 * All work that is needed only if something is measured is done here: the directory, the file, the
 * calibration of the probes, metric sets, the trace, the sampler of sensors.
 */
#include "base/config.h"
#include "base/lock.h"
#include "base/own_stack.h"
#include "base/slot_table.h"
#include "measure/patch/objects.h"
#include "output/profile/files.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "output/run/directory.h"
#include "output/run/header.h"
#include "output/run/settings.h"
#include "measure/counters/metric_set.h"
#include "output/trace/tracing.h"
#include "output/merged_file/unify.h"
#include "measure/core/drg.h"
#include "measure/core/region_registry.h"
#include "measure/core/slot.h"
#include "measure/sampling/sampling.h"
#include "measure/sampling/switches.h"
#include "blame/stacks/callers.h"
#include "blame/stacks/samples.h"
#include "measure/control/control.h"
#include "process/calibrate.h"
#include "process/clock_watch.h"
#include "process/exit_race.h"
#include "process/fatal_signal.h"
#include "process/no_processor.h"
#include "process/open.h"
#include "process/sensor.h"
#include "process/start.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

static void give_up(int reason)
{
	sis__config.enabled = false;
	if (sis__config.run)
		sis__directory_note_process("unkept", 0);
	if (sis__header()->parent_pid != 0) /* only the child's file is missing */
		sis__warn(
			"cannot create a file for process %d, a forked child, in '%s': %s; "
			"nothing will be kept of it",
			(int)getpid(), sis__directory_wanted(), strerrordesc_np(reason));
	else
		sis__warn(
			"cannot create '%s': %s; nothing will be kept of this run (set SIS_OUTPUT "
			"to a writable directory)",
			sis__directory_wanted(), strerrordesc_np(reason));
}

/* Writes the chunks with which every file begins. A forked child has copies of its parent's chunks.
 * It only lacks slot 0 if the forking thread was not measured. */
static void begin(void)
{
	static bool begun;
	if (!sis__slot(0))
		sis__slots_init();
	if (begun)
		return;
	begun = true;
	sis__machine_note();
	sis__config_note();
	if (!sis__config.trace.mode) /* with a trace, all activations of these are timed */
		sis__text("untimed", "%d\tRT_LOCK,RT_CRITICAL,RT_ATOMIC", SIS_UNTIMED);
	sis__config_check_names();
	sis__set_messages = sis__set("MSGS_S,MSGS_R,BYTES_S,BYTES_R");
	sis__units_init();
	sis__units_note();
	sis__trace_begin();
}

/* Books the time of the opening, including that of modules of counters, as cost of the probes. */
static void book_opening(uint64_t began)
{
	struct sis_thread *initial = sis__slot(0);
	if (initial && (pid_t)syscall(SYS_gettid) == getpid()) {
		initial->pub.stamp = sis__ticks();
		sis__book(initial, initial->pub.current, RT_PROBE, initial->pub.stamp - began);
	}
}

static void open_profile(void)
{
	uint64_t began = sis__ticks();
	if (!sis__store.base) {
		sis__config.enabled = false;
		sis__warn(
			"no room among the process's addresses for a profile; nothing will be "
			"kept of this run (see ulimit -v)");
		return;
	}
	bool first = sis__header()->run_id[0] == '\0';
	if (first)
		sis__header_complete(sis__header());
	int fd = sis__directory_create_file(sis__unify_mark());
	if (fd < 0)
		return give_up(-fd);
	int failed = sis__store_move_into_file(fd);
	if (failed)
		sis__directory_remove_file();
	sis__file_close(fd);
	if (failed)
		return give_up(failed);
	if (first) {
		/* as late as possible: the longer the time since the start, the more exact is the
		 * clock's rate */
		sis__clock_calibrate(sis__header());
		sis__fatal_signals_catch();
	}
	sis__store_set_live(true);
	begin();
	if (first) {
		sis__calibration_note();
		sis__clock_watch_start();
	}
	sis__no_processor_begin();
	sis__sensors_start();
	sis__control_start();
	sis__sampling_begin();
	sis__switches_start();
	sis__stacks_begin();
	sis__callers_begin();
	book_opening(began);
}

bool sis__store_open(void)
{
	if (sis__store_is_live() || sis__store_tried || sis__ending_is_over() ||
	    !sis__config.enabled || sis__is_confined())
		return sis__store_is_live();
	sis__store_tried = true;
	sis__watched = false;
	sis__on_own_stack(open_profile);
	return sis__store_is_live();
}

/* -- units ----------------------------------------------------------------------------------- */

/* Notes a library that dl_iterate_phdr finds. The program and the kernel's library have no path. */
static int note_searched(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	if (info->dlpi_name && strchr(info->dlpi_name, '/'))
		sis__text("searched", "%s", info->dlpi_name);
	return 0;
}

/* Notes a library that has units and, with the first one, in which order functions are searched
 * for. */
static void note_library(const char *path)
{
	static bool noted;
	if (!noted)
		dl_iterate_phdr(note_searched, NULL);
	noted = true;
	sis__text_once("library", "%s", path);
}

static void add_unit(struct sis_unit *unit, bool is_in_library)
{
	struct sis__fp program_fp = sis__fp_begin();
	sis__start();
	if (unit->abi != SIS_PROBE_ABI) {
		sis__warn(
			"a unit was compiled by another version of sisc (probes %u, here %u) and "
			"is not measured; compile it again",
			unit->abi, SIS_PROBE_ABI);
		sis__unit_switch_off(unit);
	} else if (!sis__store_open()) {
		sis__unit_switch_off(unit);
	} else {
		/* The header names only the program, so the name of a library is noted here. No
		 * lock of the runtime is held, because dladdr takes the dynamic linker's lock, and
		 * the dynamic linker holds it while it runs the constructors of a library. */
		Dl_info library, program;
		bool known = is_in_library && dladdr(unit, &library) &&
			dladdr((void *)getauxval(AT_PHDR), &program);
		if (known && library.dli_fbase != program.dli_fbase && library.dli_fname[0])
			note_library(library.dli_fname);
		if (known && library.dli_fbase == program.dli_fbase)
			sis__measures_all = false; /* the program has probes */
		sis__unit_add(unit);
		sis__control_unit_added();
	}
	sis__fp_end(&program_fp);
}

void sis__unit_register(struct sis_unit *unit)
{
	add_unit(unit, true);
}

/* Does not note the library: a signal handler must not wait for the lock of the dynamic linker,
 * because the handler may have interrupted the thread that holds it. */
void sis__unit_register_by_hand(struct sis_unit *unit)
{
	add_unit(unit, false);
}

SIS_EXPORT void sis_object_add(struct sis_object *object)
{
	int saved = errno;
	sis__guard();
	sis__start();
	sis__object_add(object);
	sis__unguard();
	errno = saved;
}

SIS_EXPORT void sis_object_remove(struct sis_object *object)
{
	sis__units_remove(object->low, object->high);
	sis__object_remove(object);
}

/* The runtime may call functions of the program that have probes, such as a memcpy of the program.
 * The unit of such a function is registered later. */
SIS_EXPORT void sis_unit_register(struct sis_unit *unit)
{
	int saved = errno;
	if (sis__local.inside)
		return;
	sigset_t before;
	sis__guard_alone(&before);
	sis__unit_register(unit);
	sis__unguard_alone(&before);
	errno = saved;
}
