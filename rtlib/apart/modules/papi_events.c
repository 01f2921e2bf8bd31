/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_events.c - the table of the events that are counted, and the calls of PAPI that start them.
 * papi_module.c fills the table under its lock; papi_running.c reads it.
 */
#include "apart/modules/papi_events.h"

#include <papi.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct papi_event papi_event[PAPI_EVENTS];
_Atomic bool papi_multiplexed[PAPI_COMPONENTS];
int papi_events;
bool papi_may_multiplex;

static unsigned long thread_id(void)
{
	return (unsigned long)syscall(SYS_gettid);
}

bool papi_is_of_kernel(const char *name)
{
	static const char *const names[] = { "CONTEXT-SWITCHES", "CONTEXT_SWITCHES", "CS",
					     "CPU-MIGRATIONS",   "CPU_MIGRATIONS",   "MIGRATIONS",
					     "CGROUP-SWITCHES",  "CGROUP_SWITCHES" };
	const char *event = strncmp(name, "perf::", 6) == 0 ? name + 6 : "";
	event += strncmp(event, "PERF_COUNT_SW_", 14) == 0 ? 14 : 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(event, names[i]) == 0)
			return true;
	return false;
}

int papi_initialize(void)
{
	int version = PAPI_library_init(PAPI_VER_CURRENT);
	if (version != PAPI_VER_CURRENT)
		return version < 0 ? version : PAPI_EINVAL;
	int failed = PAPI_thread_init(thread_id);
	if (failed == PAPI_OK && papi_may_multiplex)
		failed = PAPI_multiplex_init();
	return failed;
}

int papi_after_fork(void)
{
	int failed = papi_initialize();
	for (int i = 0; i < papi_events && failed == PAPI_OK; i++)
		failed = PAPI_event_name_to_code(papi_event[i].name, &papi_event[i].code);
	return failed;
}

void papi_drop_set(int *set)
{
	if (*set != PAPI_NULL) {
		PAPI_cleanup_eventset(*set);
		PAPI_destroy_eventset(set);
	}
	*set = PAPI_NULL;
}

int papi_start_set(int *set, const int *code, int count, int component, bool multiplex)
{
	*set = PAPI_NULL;
	int failed = PAPI_create_eventset(set);
	if (failed == PAPI_OK && multiplex) {
		failed = PAPI_assign_eventset_component(*set, component);
		failed = failed == PAPI_OK ? PAPI_set_multiplex(*set) : failed;
	}
	for (int i = 0; i < count && failed == PAPI_OK; i++)
		failed = PAPI_add_event(*set, code[i]);
	if (failed == PAPI_OK)
		failed = PAPI_start(*set);
	if (failed != PAPI_OK)
		papi_drop_set(set);
	return failed;
}

const char *papi_reason(int failed)
{
	return failed == PAPI_ECOUNT
		       ? "too many events, or no descriptors left for them (ulimit -n)"
		       : PAPI_strerror(failed);
}
