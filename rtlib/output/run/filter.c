/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.c - the rules of SIS_FILTER, from a file in the format of --sis-filter. One thread reads
 * the rules, at the start of the process. They never change afterwards.
 *
 * The text is parsed twice: first to find errors and to count the rules, then to store the rules in
 * memory of exactly this size. If a file has errors, none of its rules is used, because a part of
 * the rules would turn off other regions than the user wants.
 */
#include "output/profile/text.h"
#include "output/run/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sis_filter_rule *rules;
static size_t rule_count;

/* -- the file ---------------------------------------------------------------------------------- */

struct file { char *text; size_t length; };

static void *allocate(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

/* Reads the file. Returns NULL, or why the file cannot be read. file->text has room for the file
 * and one more byte, which shows whether the file became longer. */
static const char *load(long fd, struct file *file)
{
	struct stat status;
	if (fstat((int)fd, &status) != 0)
		return strerrordesc_np(errno);
	if (!S_ISREG(status.st_mode))
		return "it is no regular file; name one that is";
	if (status.st_size > SIS_FILTER_LARGEST)
		return "it is larger than 16 MiB; use wildcards in place of many names";
	size_t size = (size_t)status.st_size;
	file->text = allocate(size + 1);
	if (!file->text)
		return "no memory";
	long n = 1;
	for (file->length = 0; n > 0 && file->length <= size; file->length += n > 0 ? (size_t)n : 0)
		n = syscall(SYS_read, fd, file->text + file->length, size + 1 - file->length);
	return n == 0 ? NULL : "it cannot be read to its end"; /* or it became longer */
}

/* -- rules ------------------------------------------------------------------------------------- */

struct reading {
	const char *name;  /* of the file */
	size_t rules, bytes; /* number of rules; bytes of their patterns, each with a NUL */
	char *pattern;     /* the place for the next pattern */
};

static void count_rule(void *context, const struct sis_filter_rule *rule, const char *pattern,
		       size_t length)
{
	struct reading *reading = context;
	(void)rule, (void)pattern;
	reading->rules++;
	reading->bytes += length + 1;
}

static void take_rule(void *context, const struct sis_filter_rule *rule, const char *pattern,
		      size_t length)
{
	struct reading *reading = context;
	struct sis_filter_rule *new = &rules[rule_count++];
	*new = *rule;
	new->pattern = memcpy(reading->pattern, pattern, length);
	new->origin = reading->name;
	reading->pattern[length] = '\0';
	reading->pattern += length + 1;
}

static void warn(void *context, bool is_error, uint32_t line, uint32_t column, const char *message)
{
	const struct reading *reading = context;
	(void)is_error;
	if (line)
		sis__warn("SIS_FILTER: %s:%u:%u: %s", reading->name, line, column, message);
	else
		sis__warn("SIS_FILTER: cannot read '%s': %s", reading->name, message);
}

static void no_warning(void *context, bool is_error, uint32_t line, uint32_t column,
		       const char *message)
{
	(void)context, (void)is_error, (void)line, (void)column, (void)message;
}

/* Parses the text. Returns false if it has errors, which were reported, or if memory is missing. */
static bool take_text(struct reading *reading, const struct file *file)
{
	const struct sis_filter_user first = { reading, count_rule, warn },
				     second = { reading, take_rule, no_warning };
	if (sis_filter_parse(file->text, file->length, &first) != 0)
		return false;
	if (reading->rules == 0)
		return true;
	rules = allocate(reading->rules * sizeof *rules);
	reading->pattern = allocate(reading->bytes);
	if (rules && reading->pattern)
		sis_filter_parse(file->text, file->length, &second);
	return rules && reading->pattern;
}

void sis__filter_read(const char *name)
{
	struct reading reading = { .name = name };
	struct file file = { 0 };
	long fd = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const char *why = fd < 0 ? strerrordesc_np(errno) : load(fd, &file);
	if (fd >= 0)
		syscall(SYS_close, fd);
	if (why)
		warn(&reading, true, 0, 0, why);
	if (why || !take_text(&reading, &file))
		sis__warn("no region is turned off: correct the file of SIS_FILTER, or unset it");
	if (file.text)
		munmap(file.text, file.length + 1);
}

bool sis__filter_has_rules(void)
{
	return rule_count > 0;
}

bool sis__filter_excludes(const struct sis_filter_region *region)
{
	return sis_filter_excluding(rules, rule_count, region) != NULL;
}
