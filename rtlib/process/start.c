/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - the start of the runtime: in a constructor, or in a probe that runs before it. Called
 * by one thread.
 *
 * The start is cheap and makes no files. It reserves addresses and reads the settings. Files are
 * made when something is to be measured (open.c). So a helper program that only loads the runtime
 * leaves no files behind.
 */
#include "base/clock.h"
#include "base/config.h"
#include "output/profile/store.h"
#include "output/run/header.h"
#include "output/run/settings.h"
#include "blame/stacks/sample_signal.h"
#include "process/clock_watch.h"
#include "process/fork.h"
#include "process/start.h"
#include "process/thread_exit.h"

#include <stdlib.h>
#include <string.h>

/* With the thread sanitizer, the functions of a library that is preloaded are called in threads
 * that the sanitizer does not know yet, and fail there. */
extern void __tsan_init(void) __attribute__((weak));

/* Why `sis-analyze run` cannot measure this program; NULL: it can. Valgrind, which preloads its own
 * libraries, takes a stack of the runtime for the program's. It says so on standard error, and may
 * end the program at the next signal. */
static const char *refusal(void)
{
	const char *preloaded = getenv("LD_PRELOAD");
	if (__tsan_init)
		return "tsan";
	return preloaded && strstr(preloaded, "/vgpreload_") ? "valgrind" : NULL;
}

SIS_EXPORT __attribute__((constructor(101))) void sis__start(void)
{
	if (sis__started)
		return;
	sis__started = true;
	struct sis__fp program = sis__fp_begin();
	sis__guard();
	sis__config_read();
	if (sis__config.enabled) {
		sis__clock_init();
		sis__sample_signal_start();
		sis__store_reserve();
		sis__clock_mark(&sis__header()->start);
		sis__clock_watch_prepare();
		sis__header_fill(sis__header());
		sis__refused = sis__config.run ? refusal() : NULL;
		sis__config.enabled = !sis__refused;
		sis__measures_all = sis__watched = sis__config.run && sis__config.enabled;
	}
	if (sis__config.enabled) {
		sis__thread_exit_init();
		sis__fork_init();
	}
	sis__unguard();
	sis__fp_end(&program);
}
