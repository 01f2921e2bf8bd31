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

SIS_EXPORT __attribute__((constructor(101))) void sis__start(void)
{
	if (sis__started)
		return;
	sis__started = true;
	sis__guard();
	sis__config_read();
	if (sis__config.enabled) {
		sis__clock_init();
		sis__sample_signal_start();
		sis__store_reserve();
		sis__clock_mark(&sis__header()->start);
		sis__clock_watch_prepare();
		sis__header_fill(sis__header());
		sis__thread_exit_init();
		sis__fork_init();
		sis__measures_all = sis__watched = sis__config.run != NULL;
	}
	sis__unguard();
}
