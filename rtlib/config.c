/* config.c - the SIS_* environment of a run, read once at the start of the process.
 *
 * A value that cannot be right costs one line and is taken as the default: nobody loses a run by a typing error.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>

SIS_EXPORT struct sis_config sis__config;

enum { RECORD_MEGABYTES = 256 /* some ten million operations a thread */, NODE_MILLIONS = 16 };

static const char *const variables[] = {
#define SIS_ENV(name, otherwise, values, meaning) #name,
#include "env.def"
#undef SIS_ENV
};

/* Empty is unset. */
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
	sis__warn("bad %s '%s': not a number such as 64M; taken as %lluM", name, value,
		  (unsigned long long)otherwise >> 20);
	return otherwise;
}

/* `250ms`, `2s`, `0.5`: seconds unless said otherwise. */
static uint64_t read_interval(const char *name)
{
	const char *value = setting(name);
	char *end;
	if (!value)
		return 0;
	double seconds = strtod(value, &end);
	if (strcasecmp(end, "ms") == 0)
		seconds /= 1000;
	bool known = end != value && is_one_of(end, (const char *const[]){ "", "s", "ms", NULL });
	if (known && (seconds == 0 || (seconds >= 0.001 && seconds <= 86400)))
		return (uint64_t)(seconds * 1e9);
	sis__warn("bad %s '%s': not a time such as 250ms or 2s; taken as 0", name, value);
	return 0;
}

static const char *read_metrics(void)
{
	const char *value = setting("SIS_PMETRIC");
	if (!value || value[strspn(value, ", ")])
		return value;
	sis__warn("bad SIS_PMETRIC '%s': it names no metric; taken as unset", value);
	return NULL;
}

void sis__config_read(void)
{
	/* A program that runs with rights its user does not have writes nothing where that user says. */
	if (getauxval(AT_SECURE))
		return;
	const char *log = setting("SIS_LOG");
	sis__config.quiet = log && strcasecmp(log, "quiet") == 0;
	if (log && !is_one_of(log, (const char *const[]){ "quiet", "normal", NULL }))
		sis__warn("bad SIS_LOG '%s': neither quiet nor normal; taken as normal", log);
	sis__config.enabled = read_switch("SIS_ENABLE", true);
	sis__config.output = setting("SIS_OUTPUT");
	sis__config.metrics = read_metrics();
	sis__config.record_bytes = read_number("SIS_RECORDS", (uint64_t)RECORD_MEGABYTES << 20);
	sis__config.sensor_ns = read_interval("SIS_SENSORS");
	sis__config.nodes = read_number("SIS_NODES", (uint64_t)NODE_MILLIONS << 20);
}

void sis__config_note(void)
{
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		if (setting(variables[i]))
			sis__text("env", "%s=%s", variables[i], setting(variables[i]));
}
