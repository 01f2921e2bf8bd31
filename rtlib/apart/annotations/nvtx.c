/* SPDX-License-Identifier: BSD-3-Clause */
/* nvtx.c - ranges of NVTX 3, NVIDIA's interface for annotations. Each program or library that uses
 * NVTX contains its functions. At the first call it opens the library that NVTX_INJECTION64_PATH
 * names, and calls InitializeInjectionNvtx2, which sets pointers to the functions below. Any thread
 * may call them.
 *
 * A range is called DOMAIN/CATEGORY/MESSAGE, without the parts that it does not have. A registered
 * string is the region of its message in its domain, so that no name has to be searched.
 * LIMIT: the category of a range whose message is a registered string is not part of its name.
 */
#include "apart/annotations/annotations.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* -- what NVTX's functions and this library share, from NVTX's documentation ------------------- */

enum { CALLBACKS = 1 }; /* the table that getExportTable returns */
enum { CORE = 1, CORE2 = 5 }; /* modules */
struct callbacks {
	size_t size;
	/* *table: an array of pointers to the variables that have the functions' addresses */
	int (*module_functions)(int module, void (****table)(void), unsigned *count);
};
enum { MESSAGE_ASCII = 1, MESSAGE_UNICODE = 2, MESSAGE_REGISTERED = 3 };
struct attributes {
	uint16_t version, size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type, reserved;
	uint64_t payload;
	int32_t message_type;
	union {
		const char *ascii;
		const wchar_t *unicode;
		struct sis_region *registered;
	} message;
};
enum { NOT_TRACKED = -2 }; /* the level that push and pop return without a tool */

/* -- names ------------------------------------------------------------------------------------- */

enum { NAME = 500, CATEGORIES = 256 };

/* Converts to UTF-8. */
static const char *narrow(char name[NAME + 4], const wchar_t *wide)
{
	size_t n = 0;
	for (; wide && *wide && n < NAME - 4; wide++) {
		uint32_t c = (uint32_t)*wide;
		if (c > 0x10ffff)
			c = '?';
		int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
		static const unsigned char first[] = { 0, 0xc0, 0xe0, 0xf0 };
		name[n++] = (char)(first[more] | c >> 6 * more);
		while (more-- > 0)
			name[n++] = (char)(0x80 | (c >> 6 * more & 0x3f));
	}
	name[n] = '\0';
	return name;
}

/* A handle of a domain is its name, in memory of its own. NULL is the domain without a name. */
static char *domain_create(const char *name) { return strdup(name && *name ? name : "unnamed"); }

static char *domain_create_wide(const wchar_t *name)
{
	char buffer[NAME + 4];
	return domain_create(narrow(buffer, name));
}

/* Categories with names. An element is complete before `categories` counts it. */
static struct category {
	const char *domain;
	uint32_t id;
	char name[100];
} category[CATEGORIES];
static uint32_t categories;

static const struct category *find_category(const char *domain, uint32_t id)
{
	/* pairs with the release in name_category */
	for (uint32_t i = __atomic_load_n(&categories, __ATOMIC_ACQUIRE); i-- > 0;)
		if (category[i].id == id &&
		    __atomic_load_n(&category[i].domain, __ATOMIC_RELAXED) == domain)
			return &category[i];
	return NULL;
}

static void domain_name_category(char *domain, uint32_t id, const char *name)
{
	static bool busy;
	if (!name || !id || find_category(domain, id))
		return;
	while (__atomic_exchange_n(&busy, true, __ATOMIC_ACQUIRE)) /* pairs with the release */
		;
	uint32_t i = __atomic_load_n(&categories, __ATOMIC_RELAXED);
	if (i < CATEGORIES) {
		category[i].domain = domain;
		category[i].id = id;
		snprintf(category[i].name, sizeof category[i].name, "%s", name);
		__atomic_store_n(&categories, i + 1, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&busy, false, __ATOMIC_RELEASE);
}

static void domain_name_category_wide(char *domain, uint32_t id, const wchar_t *name)
{
	char buffer[NAME + 4];
	domain_name_category(domain, id, name ? narrow(buffer, name) : NULL);
}

static void name_category(uint32_t id, const char *name) { domain_name_category(NULL, id, name); }

static void name_category_wide(uint32_t id, const wchar_t *name)
{
	domain_name_category_wide(NULL, id, name);
}

/* A later domain may have the same address. No domain has the address of `category`. */
static void domain_destroy(char *domain)
{
	for (uint32_t i = __atomic_load_n(&categories, __ATOMIC_ACQUIRE); domain && i-- > 0;)
		if (__atomic_load_n(&category[i].domain, __ATOMIC_RELAXED) == domain)
			__atomic_store_n(&category[i].domain, (char *)category, __ATOMIC_RELAXED);
	free(domain);
}

static struct sis_region *register_string(char *domain, const char *string)
{
	return sis__annotation(domain, string);
}

static struct sis_region *register_string_wide(char *domain, const wchar_t *string)
{
	char buffer[NAME + 4];
	return sis__annotation(domain, narrow(buffer, string));
}

/* -- ranges ------------------------------------------------------------------------------------ */

/* The stack of the domain without a name. */
static const char no_domain[1];

static struct sis_region *region_of(const char *domain, const struct attributes *range)
{
	char wide[NAME + 4], both[NAME + 4];
	const char *message = NULL;
	if (!range)
		return sis__annotation(domain, NULL);
	if (range->message_type == MESSAGE_REGISTERED)
		return range->message.registered;
	if (range->message_type == MESSAGE_ASCII)
		message = range->message.ascii;
	else if (range->message_type == MESSAGE_UNICODE)
		message = narrow(wide, range->message.unicode);
	const struct category *its = NULL;
	if (range->category)
		its = find_category(domain, range->category);
	if (its && domain)
		snprintf(both, sizeof both, "%.390s/%s", domain, its->name);
	return sis__annotation(!its ? domain : domain ? both : its->name, message);
}

static int domain_push(char *domain, const struct attributes *range)
{
	sis__annotation_begin(domain ? domain : no_domain, region_of(domain, range));
	return NOT_TRACKED;
}

static int domain_pop(char *domain)
{
	sis__annotation_end(domain ? domain : no_domain);
	return NOT_TRACKED;
}

static int push_ex(const struct attributes *range) { return domain_push(NULL, range); }

static int push(const char *message)
{
	sis__annotation_begin(no_domain, sis__annotation(NULL, message));
	return NOT_TRACKED;
}

static int push_wide(const wchar_t *message)
{
	char buffer[NAME + 4];
	return push(narrow(buffer, message));
}

static int pop(void) { return domain_pop(NULL); }

/* The functions that start a range which any thread may end. The range has no number. */
static uint64_t start(void)
{
	sis__annotation_without_region();
	return 0;
}

/* -- for NVTX's functions in the program ------------------------------------------------------- */

static const struct {
	int module;
	unsigned number;
	void *function;
} ours[] = {
	{ CORE, 4, (void *)start }, /* RangeStartEx */
	{ CORE, 5, (void *)start }, /* RangeStartA */
	{ CORE, 6, (void *)start }, /* RangeStartW */
	{ CORE, 8, (void *)push_ex }, /* RangePushEx */
	{ CORE, 9, (void *)push }, /* RangePushA */
	{ CORE, 10, (void *)push_wide }, /* RangePushW */
	{ CORE, 11, (void *)pop }, /* RangePop */
	{ CORE, 12, (void *)name_category }, /* NameCategoryA */
	{ CORE, 13, (void *)name_category_wide }, /* NameCategoryW */
	{ CORE2, 2, (void *)start }, /* DomainRangeStartEx */
	{ CORE2, 4, (void *)domain_push }, /* DomainRangePushEx */
	{ CORE2, 5, (void *)domain_pop }, /* DomainRangePop */
	{ CORE2, 8, (void *)domain_name_category }, /* DomainNameCategoryA */
	{ CORE2, 9, (void *)domain_name_category_wide }, /* DomainNameCategoryW */
	{ CORE2, 10, (void *)register_string }, /* DomainRegisterStringA */
	{ CORE2, 11, (void *)register_string_wide }, /* DomainRegisterStringW */
	{ CORE2, 12, (void *)domain_create }, /* DomainCreateA */
	{ CORE2, 13, (void *)domain_create_wide }, /* DomainCreateW */
	{ CORE2, 14, (void *)domain_destroy }, /* DomainDestroy */
};

int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t table))
	__attribute__((__visibility__("default")));

/* Returns 0 if nothing is measured: then NVTX's functions do nothing. */
int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t table))
{
	const struct callbacks *callbacks = export_table(CALLBACKS);
	if (!callbacks || callbacks->size < sizeof *callbacks || !sis__annotations_are_measured())
		return 0;
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
		void (***table)(void);
		unsigned count;
		if (callbacks->module_functions(ours[i].module, &table, &count) &&
		    ours[i].number < count && table[ours[i].number])
			*table[ours[i].number] = (void (*)(void))ours[i].function;
	}
	return 1;
}
