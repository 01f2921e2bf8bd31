/* fake_papi.c - a libpapi whose events count what the program says it did: fake_work(n) is n times
 * FACTOR of each event, in the thread that calls it, while that thread runs a set with the event.
 * So what comes out at the other end is known. As strict as PAPI: one running set a thread, none
 * read by others. FAKE_PAPI has words for what shall go wrong:
 *
 *     room=N    no more than N events in a set: found when one is added, or with late when it is
 *               started
 *     turns=0   the kernel cannot multiplex
 *     threads=N no more than N threads at once
 *     read=N    reading fails from the N-th time in a thread on; the first thread excepted
 *     from=N    counters begin at N
 *     cycles=N  the factor of the first event
 *     whole     it counts for the whole machine
 *     init      PAPI_library_init fails             rdpmc     reads need no system call
 */
#include <papi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct { const char *name; long factor;
} event[] = {
	{ "PAPI_TOT_CYC", 10 }, { "PAPI_TOT_INS", 20 }, { "PAPI_L1_DCM", 4 }, { "PAPI_L2_TCM", 3 },
	{ "PAPI_L3_TCM", 2 },	{ "PAPI_TLB_DM", 1 },	{ "PAPI_FP_OPS", 7 },
};
enum { EVENTS = sizeof event / sizeof *event, SETS = 4096 };

static struct set {
	bool used, running, turns;
	int count, code[EVENTS + 2];
	long start;
	const void *thread;
} set[SETS];
static int threads, live;
static __thread long work, reads;
static __thread bool here, first;
static __thread volatile int inside; /* PAPI_read */
static __thread int running; /* the set's number, from 1 */
static int process;

static const char *word(const char *name)
{
	const char *all = getenv("FAKE_PAPI"), *at = all ? strstr(all, name) : NULL;
	return at ? at + strlen(name) : NULL;
}

static long number(const char *name, long otherwise)
{
	return word(name) ? atol(word(name)) : otherwise;
}

void fake_work(long amount) { work += amount; }
/* sets that were not destroyed */
int fake_live(void) { return __atomic_load_n(&live, __ATOMIC_SEQ_CST); }
int fake_threads(void) { return __atomic_load_n(&threads, __ATOMIC_SEQ_CST); }
long fake_reads(void) { return reads; }

int PAPI_library_init(int version)
{
	if (process != getpid()) { /* as PAPI does after a fork */
		memset(set, 0, sizeof set);
		threads = live = 0;
		here = false;
		running = 0;
	}
	threads += !here;
	here = true;
	process = getpid();
	first = true;
	return word("init") ? PAPI_ESYS : version;
}
int PAPI_thread_init(unsigned long (*id)(void)) { return id() ? PAPI_OK : PAPI_EINVAL; }
int PAPI_multiplex_init(void) { return PAPI_OK; }
char *PAPI_strerror(int code)
{
	static char *const text[] = { [0] = "none",
				      [-PAPI_ESYS] = "a system call failed",
				      [-PAPI_ECNFLCT] = "conflict",
				      [-PAPI_EISRUN] = "is running",
				      [-PAPI_ENOEVNT] = "no such event",
				      [-PAPI_ENOMEM] = "no memory" };
	int n = -code;
	return n >= 0 && n < (int)(sizeof text / sizeof *text) && text[n] ? text[n] :
									    "another error";
}
int PAPI_get_opt(int option, PAPI_option_t *value)
{
	return option == PAPI_LIB_VERSION && !value ? PAPI_VERSION : PAPI_EINVAL;
}
int PAPI_num_components(void) { return 1; }
int PAPI_enum_cmp_event(int *code, int how, int component)
{
	return (void)code, (void)how, (void)component, PAPI_ENOEVNT;
}
int PAPI_get_event_info(int code, PAPI_event_info_t *info)
{
	return (void)code, (void)info, PAPI_ENOEVNT;
}
int PAPI_get_event_component(int code) { return code & PAPI_PRESET_MASK ? 0 : PAPI_ENOEVNT; }

const PAPI_component_info_t *PAPI_get_component_info(int component)
{
	static PAPI_component_info_t info;
	snprintf(info.name, sizeof info.name, word("whole") ? "rapl" : "perf_event");
	info.kernel_multiplex = number("turns=", 1) != 0;
	info.fast_counter_read = word("rdpmc") != NULL;
	return component == 0 ? &info : NULL;
}

int PAPI_event_name_to_code(const char *name, int *code)
{
	for (int i = 0; i < EVENTS; i++)
		if (strcmp(event[i].name, name) == 0) {
			*code = (int)(PAPI_PRESET_MASK | (unsigned)i);
			return PAPI_OK;
		}
	return PAPI_ENOEVNT;
}

int PAPI_register_thread(void)
{
	if (!here &&
	    __atomic_add_fetch(&threads, 1, __ATOMIC_SEQ_CST) > number("threads=", 1 << 30)) {
		__atomic_sub_fetch(&threads, 1, __ATOMIC_SEQ_CST);
		return PAPI_ENOMEM;
	}
	here = true;
	return PAPI_OK;
}

int PAPI_unregister_thread(void)
{
	if (!here || running || first)
		abort();
	here = false;
	__atomic_sub_fetch(&threads, 1, __ATOMIC_SEQ_CST);
	return PAPI_OK;
}

/* -- sets -------------------------------------------------------------------------------------- */

int PAPI_create_eventset(int *number)
{
	for (int i = 0; i < SETS; i++)
		if (!__atomic_exchange_n(&set[i].used, true, __ATOMIC_SEQ_CST)) {
			set[i].count = 0;
			set[i].running = set[i].turns = false;
			set[i].thread = &work;
			*number = i;
			__atomic_add_fetch(&live, 1, __ATOMIC_SEQ_CST);
			return PAPI_OK;
		}
	return PAPI_ENOMEM;
}

/* Of this thread, and running or not. */
static struct set *get(int n, bool running_)
{
	struct set *s = n >= 0 && n < SETS && set[n].used ? &set[n] : NULL;
	return s && s->thread == &work && s->running == running_ ? s : NULL;
}

int PAPI_assign_eventset_component(int n, int component)
{
	return get(n, false) && component == 0 ? PAPI_OK : PAPI_EINVAL;
}
int PAPI_set_multiplex(int n)
{
	struct set *s = get(n, false);
	return s ? (s->turns = true, PAPI_OK) : PAPI_EISRUN;
}

static bool is_full(const struct set *s, int count)
{
	return !s->turns && count > number("room=", EVENTS);
}

int PAPI_add_event(int n, int code)
{
	struct set *s = get(n, false);
	if (!s)
		return PAPI_EISRUN;
	for (int i = 0; i < s->count; i++)
		if (s->code[i] == code)
			return PAPI_ECNFLCT;
	if (!word("late") && is_full(s, s->count + 1))
		return PAPI_ECNFLCT;
	s->code[s->count++] = code;
	return PAPI_OK;
}

int PAPI_start(int n)
{
	struct set *s = get(n, false);
	if (!s || running)
		return PAPI_EISRUN;
	if (is_full(s, s->count))
		return PAPI_ECNFLCT;
	s->running = true;
	s->start = work;
	running = n + 1;
	return PAPI_OK;
}

int PAPI_read(int n, long long *value)
{
	struct set *s = get(n, true);
	if (!s)
		return PAPI_EINVAL;
	reads++;
	if (inside++) /* a handler came in: PAPI has no answer to that */
		abort();
	int failed = !first && reads >= number("read=", 1 << 30) ? PAPI_ESYS : PAPI_OK;
	for (int i = 0; i < s->count && failed == PAPI_OK; i++) {
		bool cycles = (s->code[i] & 0xff) == 0;
		long factor = cycles ? number("cycles=", event[0].factor) :
				       event[s->code[i] & 0xff].factor;
		unsigned long counted = (unsigned long)(work - s->start) * (unsigned long)factor;
		value[i] = (long long)(counted +
				       (word("from=") ? strtoul(word("from="), NULL, 0) : 0));
	}
	inside--;
	return failed;
}

int PAPI_stop(int n, long long *value)
{
	int failed = PAPI_read(n, value);
	if (failed == PAPI_EINVAL)
		return PAPI_ENOTRUN;
	set[n].running = false;
	running = 0;
	return failed;
}

int PAPI_cleanup_eventset(int n) { return get(n, false) ? PAPI_OK : PAPI_EISRUN; }

int PAPI_destroy_eventset(int *n)
{
	if (!get(*n, false))
		return PAPI_EISRUN;
	__atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&set[*n].used, false, __ATOMIC_SEQ_CST);
	*n = PAPI_NULL;
	return PAPI_OK;
}
