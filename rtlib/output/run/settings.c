/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - reads the SIS_* variables of the environment, once at the start of the process.
 *
 * If a value is wrong, a warning is given, and the default is used. So a typing error does not make
 * a run useless.
 */
#include "base/config.h"
#include "output/profile/text.h"
#include "output/run/filter.h"
#include "output/run/run.h"
#include "output/run/settings.h"
#include "output/run/starter.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { RECORD_MEGABYTES = 256 /* some ten million operations a thread */, NODE_MILLIONS = 16,
       TRACE_BUFFER = 1 << 20, TRACE_BUFFER_MOST = 1 << 30, TRACE_BYTES = 1 << 30,
       SAMPLING_MOST = 1024, RATE_MOST = 10000, BLAME_RATE = 250, BLAME_BYTES = 1024,
       RECURSION = 32, RECURSION_MOST = 1024 };

#define OVERHEAD 5.0 /* percent */

static const char *const variables[] = {
#define SIS_ENV(name, otherwise, values, meaning) #name,
#include "env.def"
#undef SIS_ENV
};

/* An empty variable counts as unset. */
static const char *setting(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

static bool is_one_of(const char *value, const char *const *words)
{
	for (; *words; words++)
		if (strcasecmp(value, *words) == 0)
			return true;
	return false;
}

static bool read_switch(const char *name, bool otherwise)
{
	const char *value = setting(name);
	if (!value)
		return otherwise;
	if (is_one_of(value, (const char *const[]){ "1", "on", "yes", "true", NULL }))
		return true;
	if (is_one_of(value, (const char *const[]){ "0", "off", "no", "false", NULL }))
		return false;
	sis__warn("bad %s '%s': neither 0 nor 1; taken as %d", name, value, otherwise);
	return otherwise;
}

static uint64_t read_number(const char *name, uint64_t otherwise)
{
	static const char units[] = "kmg";
	const char *value = setting(name);
	char *end;
	if (!value)
		return otherwise;
	const unsigned long long most = (1ull << 40) - 1;
	unsigned long long number = strtoull(value, &end, 10);
	for (int i = 0; end != value && units[i]; i++)
		if ((*end | 0x20) == units[i]) {
			number = number <= most >> 10 * (i + 1) ? number << 10 * (i + 1) : most + 1;
			end++;
			break;
		}
	if (*value >= '0' && *value <= '9' && !*end && most >= number)
		return number;
	bool is_small = otherwise < 1 << 20;
	sis__warn("bad %s '%s': not a number such as 64M; taken as %llu%s", name, value,
		  (unsigned long long)(is_small ? otherwise : otherwise >> 20),
		  is_small ? "" : "M");
	return otherwise;
}

/* Reads `250ms`, `2s` or `0.5` (seconds). */
static uint64_t read_interval(const char *name, double otherwise)
{
	const char *value = setting(name);
	char *end;
	if (!value)
		return (uint64_t)(otherwise * 1e9);
	double seconds = strtod(value, &end);
	if (strcasecmp(end, "ms") == 0)
		seconds /= 1000;
	bool known = end != value && is_one_of(end, (const char *const[]){ "", "s", "ms", NULL });
	if (known && (seconds == 0 || (seconds >= 0.001 && seconds <= 86400)))
		return (uint64_t)(seconds * 1e9);
	sis__warn("bad %s '%s': not a time such as 250ms or 2s; taken as %g", name, value,
		  otherwise);
	return (uint64_t)(otherwise * 1e9);
}

/* Reads `sample` or `sample/RATE`. */
static bool read_sample(const char *value, struct sis_config *config)
{
	char *end;
	size_t length = strlen("sample");
	if (strncasecmp(value, "sample", length) != 0)
		return false;
	unsigned long rate = 0;
	if (value[length] == '/' && value[length + 1] >= '0' && value[length + 1] <= '9') {
		rate = strtoul(value + length + 1, &end, 10);
		if (rate < 1 || rate > RATE_MOST || (*end && strcasecmp(end, "Hz") != 0))
			return false;
	} else if (value[length]) {
		return false;
	}
	config->rung = SIS_RUNG_SAMPLED;
	config->sampling = SIS_FRACTION;
	config->sample_hz = (unsigned)rate;
	return true;
}

/* Reads `1/16`: one in 16. */
static bool read_fraction(const char *value, struct sis_config *config)
{
	char *end = NULL;
	unsigned long number = strncmp(value, "1/", 2) == 0 ? strtoul(value + 2, &end, 10) : 0;
	if (number < 1 || number > SAMPLING_MOST || (number & (number - 1)) != 0 || *end)
		return false;
	if (number > 1) {
		config->rung = SIS_RUNG_FRACTION;
		config->sampling = (unsigned)number;
	}
	return true;
}

/* Reads `5%` or `2.5` (percent). */
static double read_overhead(void)
{
	const char *value = setting("SIS_OVERHEAD");
	char *end;
	if (!value)
		return OVERHEAD / 100;
	if (is_one_of(value, (const char *const[]){ "off", "no", "false", NULL }))
		return 0;
	double percent = strtod(value, &end);
	end += *end == '%';
	if (*value >= '0' && *value <= '9' && !*end && percent >= 0.1 && percent <= 100)
		return percent / 100;
	sis__warn("bad SIS_OVERHEAD '%s': neither a percentage from 0.1%% to 100%% nor off; taken "
		  "as %g%%", value, OVERHEAD);
	return OVERHEAD / 100;
}

static void read_timing(struct sis_config *config)
{
	const char *value = setting("SIS_TIMING");
	if (!value || read_fraction(value, config) || read_sample(value, config))
		return;
	sis__warn("bad SIS_TIMING '%s': neither 1/N with N a power of two up to %d nor "
		  "sample/RATE with a RATE from 1 to %d; taken as 1/1", value, SAMPLING_MOST,
		  RATE_MOST);
}

/* Reads `1`, `1000hz`, or an event and the number of events between two samples. */
static bool read_rate(const char *value, struct sis_blame_config *blame)
{
	char *end;
	const char *colon = strrchr(value, ':'); /* names of native events contain colons */
	if (colon) {
		size_t length = (size_t)(colon - value);
		uint64_t least = strncmp(value, "PAPI_", 5) == 0 ? 1000 : 1;
		blame->period = colon[1] >= '0' && colon[1] <= '9' ? strtoull(colon + 1, &end, 10)
								   : 0;
		if (blame->period < least || *end || length == 0 || length >= sizeof blame->event)
			return false;
		memcpy(blame->event, value, length);
		blame->rate = BLAME_RATE;
		return true;
	}
	blame->rate = *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : 0;
	return blame->rate >= 1 && blame->rate <= RATE_MOST && strcasecmp(end, "hz") == 0;
}

static void read_blame(struct sis_blame_config *blame)
{
	const char *value = setting("SIS_BLAME");
	if (!value || is_one_of(value, (const char *const[]){ "0", "off", "no", "false", NULL }))
		return;
	if (is_one_of(value, (const char *const[]){ "1", "on", "yes", "true", NULL })) {
		blame->rate = BLAME_RATE;
		return;
	}
	if (read_rate(value, blame))
		return;
	*blame = (struct sis_blame_config){ .rate = 0 };
	sis__warn("bad SIS_BLAME '%s': neither 1, nor a rate such as 1000hz up to %d, nor an event "
		  "and a period such as PAPI_TOT_CYC:1000000; taken as 0", value, RATE_MOST);
}

static unsigned read_recursion(void)
{
	const char *value = setting("SIS_RECURSION");
	char *end;
	if (!value)
		return RECURSION;
	unsigned long number = strtoul(value, &end, 10);
	if (*value >= '0' && *value <= '9' && !*end && number <= RECURSION_MOST)
		return (unsigned)number;
	sis__warn("bad SIS_RECURSION '%s': not a number from 0 to %d; taken as %d", value,
		  RECURSION_MOST, RECURSION);
	return RECURSION;
}

/* Reads SIS_RUN. Starters are not measured; the programs that they start are. */
static const char *read_run(void)
{
	enum { MOST = sizeof sis__header()->run_id - 1 };
	const char *value = setting("SIS_RUN");
	if (value && (strlen(value) > MOST || strpbrk(value, "/\n"))) {
		sis__warn("bad SIS_RUN '%s': more than %d bytes, or a slash or newline; taken as "
			  "unset", value, MOST);
		return NULL;
	}
	if (value && sis__is_starter())
		sis__config.enabled = false;
	return value;
}

static const char *read_tmpdir(void)
{
	static char absolute[PATH_MAX];
	const char *value = setting("SIS_TMPDIR");
	errno = ENAMETOOLONG;
	if (value && realpath(value, absolute) && strlen(absolute) < PATH_MAX / 2 - 64 &&
	    !strchr(absolute, '\n'))
		return absolute;
	if (value)
		sis__warn("bad SIS_TMPDIR '%s': %s; taken as unset", value, strerrordesc_np(errno));
	return NULL;
}

static const char *read_metrics(void)
{
	const char *value = setting("SIS_PMETRIC");
	if (!value || value[strspn(value, ", ")])
		return value;
	sis__warn("bad SIS_PMETRIC '%s': it names no metric; taken as unset", value);
	return NULL;
}

/* Checks SIS_LATENCY. Only the analysis uses this setting, which it reads from the profile. */
static void check_latency(void)
{
	const char *value = setting("SIS_LATENCY"), *rest = value;
	enum sis_cost cost;
	double ns;
	while (rest && sis_cost_next(&rest, &cost, &ns))
		;
	if (rest && *rest)
		sis__warn(
			"bad SIS_LATENCY '%s': at '%s' there is no METRIC=NS such as L2_TCM=12; "
			"that and the rest is not taken",
			value, rest);
}

/* -- the trace --------------------------------------------------------------------------------- */

/* Reads a variable whose value is one of the words. Returns the word's index; 0: the variable is
 * not set, or its value is not in the list. */
static unsigned read_word(const char *name, const char *const *words)
{
	const char *value = setting(name);
	for (unsigned i = 0; value && words[i]; i++)
		if (strcasecmp(value, words[i]) == 0)
			return i;
	if (value)
		sis__warn(
			"bad %s '%s': not one of the words that `sis-analyze env` lists; taken as "
			"%s",
			name, value, words[0]);
	return 0;
}

static int read_processor(void)
{
	const char *value = setting("SIS_WRITER_CPU");
	char *end;
	long number = value ? strtol(value, &end, 10) : -1;
	if (!value || (*value >= '0' && *value <= '9' && !*end && number < 1024))
		return (int)number;
	sis__warn(
		"bad SIS_WRITER_CPU '%s': not the number of a processor; the writer of the trace "
		"runs anywhere",
		value);
	return -1;
}

/* Whether the signal is usually sent by users or other processes, so that a handler of the runtime
 * may simply return. What the program does causes all other signals. For these a return would
 * change the program: a fault would be repeated without end, a write into a broken pipe would go
 * on, the end of a child would interrupt a sleep. */
static bool can_switch(int number)
{
	static const int sent[] = { SIGUSR1, SIGUSR2, SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	for (size_t i = 0; i < sizeof sent / sizeof *sent; i++)
		if (number == sent[i])
			return true;
	return number >= SIGRTMIN && number <= SIGRTMAX;
}

/* Reads a signal: its name, with or without SIG, or its number. */
static int read_signal(void)
{
	const char *value = setting("SIS_TRACE_SIGNAL");
	if (!value)
		return 0;
	const char *name = strncasecmp(value, "SIG", 3) == 0 ? value + 3 : value;
	for (int number = 1; number <= SIGRTMAX; number++) {
		char digits[16];
		snprintf(digits, sizeof digits, "%d", number);
		const char *known = sigabbrev_np(number);
		bool named = strcmp(value, digits) == 0 || (known && strcasecmp(name, known) == 0);
		if (named && can_switch(number))
			return number;
	}
	sis__warn("bad SIS_TRACE_SIGNAL '%s': use USR1, USR2, HUP, INT, QUIT, TERM or a number "
		  "from %d to %d; no signal switches the trace", value, SIGRTMIN, SIGRTMAX);
	return 0;
}

/* Reads one of the two times of SIS_TRACE_WINDOW. Returns the end of the time in the text; NULL:
 * there is no time. */
static const char *window_part(const char *text, uint64_t *ns)
{
	char *end;
	double seconds = strtod(text, &end);
	if (end == text || !(seconds >= 0 && seconds <= 1e7))
		return NULL;
	if (strncasecmp(end, "ms", 2) == 0) {
		seconds /= 1000;
		end += 2;
	} else if (*end == 's') {
		end++;
	}
	*ns = (uint64_t)(seconds * 1e9);
	return end;
}

static void read_window(struct sis_trace_config *trace)
{
	const char *value = setting("SIS_TRACE_WINDOW");
	const char *at = value ? window_part(value, &trace->window_from_ns) : NULL;
	at = at && *at == '+' ? window_part(at + 1, &trace->window_ns) : NULL;
	if (!value || (at && !*at && trace->window_ns))
		return;
	trace->window_ns = 0;
	sis__warn(
		"bad SIS_TRACE_WINDOW '%s': not a start and a length such as 10s+5s; taken as none",
		value);
}

static void read_region(struct sis_trace_config *trace)
{
	const char *value = setting("SIS_TRACE_REGION");
	const char *colon = value ? strrchr(value, ':') : NULL;
	char *end = NULL;
	if (!value)
		return;
	if (colon && colon > value && (size_t)(colon - value) < sizeof trace->region &&
	    colon[1] >= '0' && colon[1] <= '9') {
		trace->region_first = trace->region_last = strtoull(colon + 1, &end, 10);
		if (*end == '-' && end[1] >= '0' && end[1] <= '9')
			trace->region_last = strtoull(end + 1, &end, 10);
	}
	if (end && !*end && trace->region_first > 0 && trace->region_last >= trace->region_first)
		memcpy(trace->region, value, (size_t)(colon - value));
	else
		sis__warn(
			"bad SIS_TRACE_REGION '%s': not a region and its activations such as "
			"step:100-120; taken as none",
			value);
}

static void read_trace(struct sis_trace_config *trace)
{
	const char *value = setting("SIS_TRACE");
	trace->mode = value && strcasecmp(value, "wait") == 0 ? SIS_TRACE_MODE_WAIT
		      : read_switch("SIS_TRACE", false)       ? SIS_TRACE_MODE_ON
							      : SIS_TRACE_MODE_OFF;
	trace->policy = read_word("SIS_TRACE_POLICY",
				  (const char *const[]){ "block", "drop", "overwrite", NULL });
	trace->writer = read_word("SIS_WRITER",
				  (const char *const[]){ "auto", "async", "sync", NULL });
	trace->buffer = read_number("SIS_TRACE_BUFFER", TRACE_BUFFER);
	trace->buffer = trace->buffer > TRACE_BUFFER_MOST ? TRACE_BUFFER_MOST : trace->buffer;
	trace->most_bytes = read_number("SIS_TRACE_SIZE", TRACE_BYTES);
	trace->writer_cpu = read_processor();
	trace->signal = read_signal();
	read_window(trace);
	read_region(trace);
	/* These settings say when to trace. Without SIS_TRACE they do nothing: the runtime does not
	 * handle the signal, so it ends the program unless the program handles or ignores it. */
	const char *given = trace->signal      ? "SIS_TRACE_SIGNAL"
			    : trace->region[0] ? "SIS_TRACE_REGION"
			    : trace->window_ns ? "SIS_TRACE_WINDOW"
					       : NULL;
	if (given && !value)
		sis__warn("%s does nothing without SIS_TRACE=1: nothing is traced", given);
}

void sis__config_read(void)
{
	const char *log = setting("SIS_LOG");
	sis__config.quiet = log && strcasecmp(log, "quiet") == 0;
	if (getauxval(AT_SECURE)) { /* its user must not choose where it writes files */
		sis__warn(
			"this program runs with rights that its user does not have (set-user-ID, "
			"set-group-ID or "
			"capabilities): nothing is measured; give it to its users without these "
			"to measure it");
		return;
	}
	if (log && !is_one_of(log, (const char *const[]){ "quiet", "normal", NULL }))
		sis__warn("bad SIS_LOG '%s': neither quiet nor normal; taken as normal", log);
	sis__config.enabled = read_switch("SIS_ENABLE", true);
	sis__config.output = setting("SIS_OUTPUT");
	sis__config.run = read_run();
	sis__config.tmpdir = read_tmpdir();
	sis__config.metrics = read_metrics();
	sis__config.rules = setting("SIS_RULES");
	sis__config.record_bytes = read_number("SIS_RECORDS", (uint64_t)RECORD_MEGABYTES << 20);
	sis__config.sensor_ns = read_interval("SIS_SENSORS", 0);
	read_timing(&sis__config);
	sis__config.clock = read_word("SIS_CLOCK",
				      (const char *const[]){ "auto", "tsc", "monotonic", NULL });
	sis__config.patch = read_switch("SIS_PATCH", true);
	sis__config.overhead = read_overhead();
	sis__config.overhead_by = setting("SIS_OVERHEAD") ? SIS_OVERHEAD_SET
							   : SIS_OVERHEAD_DEFAULT;
	read_blame(&sis__config.blame);
	sis__config.blame.least_bytes = read_number("SIS_BLAME_BYTES", BLAME_BYTES);
	sis__config.multiplex = read_switch("SIS_MULTIPLEX", false);
	sis__config.asleep = read_switch("SIS_ASLEEP", true);
	sis__config.recursion = read_recursion();
	sis__config.nodes = read_number("SIS_NODES", (uint64_t)NODE_MILLIONS << 20);
	read_trace(&sis__config.trace);
	if (sis__config.sampling && sis__config.trace.mode) {
		sis__warn(
			"SIS_TIMING does nothing with SIS_TRACE: a trace has the times of all "
			"activations");
		sis__config.sampling = 0;
		sis__config.rung = SIS_RUNG_FULL;
	}
	check_latency();
	sis__config.unify = read_word("SIS_UNIFY",
				      (const char *const[]){ "auto", "0", "1", "keep", NULL });
	sis__config.unify_ns = read_interval("SIS_UNIFY_TIMEOUT", 60);
	if (sis__config.tmpdir) /* the hosts' files have the data of their ranks */
		sis__config.unify = SIS_UNIFY_NEVER;
	if (sis__config.enabled && setting("SIS_FILTER"))
		sis__filter_read(setting("SIS_FILTER"));
}

/* -- names ------------------------------------------------------------------------------------- */

enum { PREFIX = sizeof "SIS_" - 1 };

/* Warns of a name that is similar to that of a variable, without the prefix SIS_. Other unknown
 * names may belong to another program. */
static void check_name(const char *name, size_t length)
{
	struct sis_suggestion near = { 0 };
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		if (strlen(variables[i]) == length && memcmp(variables[i], name, length) == 0)
			return; /* a known name */
		sis_suggest(&near, variables[i] + PREFIX, name + PREFIX, length - PREFIX);
	}
	if (near.name)
		sis__warn("%.*s is no setting of SIS and has no effect; did you mean SIS_%s?",
			  (int)length, name, near.name);
}

void sis__config_check_names(void)
{
	long size;
	if (sis__run_launcher_rank(&size) > 0)
		return; /* rank 0 has the same environment, and warns */
	for (char **variable = environ; variable && *variable; variable++) {
		size_t length = strcspn(*variable, "=");
		if (strncasecmp(*variable, "SIS_", PREFIX) == 0)
			check_name(*variable, length);
	}
}

void sis__config_note(void)
{
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		if (setting(variables[i]))
			sis__text("env", "%s=%s", variables[i], setting(variables[i]));
}
