/* SPDX-License-Identifier: BSD-3-Clause */
/* process_state.c - notes in the profile how the process ends. Called by any thread, in signal
 * handlers, too.
 */
#include "base/state.h"
#include "output/run/header.h"
#include "blame/stacks/samples.h"
#include "process/exit_race.h"
#include "process/process.h"

/* Updates the thread's time stamp, so that open activations last until now. */
SIS_EXPORT void sis__process_state(enum sis_state state, int status)
{
	if (!sis__in_this_process())
		return;
	sis__ending_wait(); /* another thread may be sealing the file */
	if (!sis__store_is_live())
		return;
	if (sis__local.own)
		sis__local.own->pub.stamp = sis__ticks();
	sis__stacks_pause(state == SIS_STATE_RUNNING);
	sis__header()->status = status;
	sis__header()->state = state;
}
