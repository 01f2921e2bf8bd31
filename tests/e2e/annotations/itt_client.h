/* itt_client.h - the static part of ITT, written from its documented interface: each function is a
 * pointer. Before the first use, the library that INTEL_LIBITTNOTIFY64 names is opened and may set
 * the pointers. Without it they stay 0 but for the two functions that make domains and strings. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct domain {
	volatile int flags;
	const char *name;
	void *wide;
	int extra1;
	void *extra2;
	struct domain *next;
} itt_domain;
typedef struct string {
	const char *text;
	void *wide;
	int extra1;
	void *extra2;
	struct string *next;
} itt_string;
typedef struct { unsigned long long d1, d2, d3; } itt_id;
static const itt_id itt_null = { 0, 0, 0 };

static itt_domain *itt_new_domain(const char *name)
{
	itt_domain *new = calloc(1, sizeof *new);
	new->flags = 1;
	new->name = strdup(name);
	return new;
}
static itt_string *itt_new_string(const char *text)
{
	itt_string *new = calloc(1, sizeof *new);
	new->text = strdup(text);
	return new;
}

static itt_domain *(*domain_create)(const char *) = itt_new_domain;
static itt_string *(*string_create)(const char *) = itt_new_string;
static void (*task_begin)(const itt_domain *, itt_id, itt_id, itt_string *);
static void (*task_begin_fn)(const itt_domain *, itt_id, itt_id, void *);
static void (*task_end)(const itt_domain *);
static void (*task_begin_overlapped)(const itt_domain *, itt_id, itt_id, itt_string *);
static void (*task_end_overlapped)(const itt_domain *, itt_id);
static void (*frame_begin)(const itt_domain *, itt_id *);
static void (*frame_end)(const itt_domain *, itt_id *);
static void (*pause_all)(void);

static struct { const char *name; void **at, *first, *without; int group; } itt_functions[] = {
	{ "__itt_domain_create", (void **)&domain_create, 0, (void *)itt_new_domain, 1 },
	{ "__itt_string_handle_create", (void **)&string_create, 0, (void *)itt_new_string, 1 },
	{ "__itt_task_begin", (void **)&task_begin, 0, 0, 1 },
	{ "__itt_task_begin_fn", (void **)&task_begin_fn, 0, 0, 1 },
	{ "__itt_task_end", (void **)&task_end, 0, 0, 1 },
	{ "__itt_task_begin_overlapped", (void **)&task_begin_overlapped, 0, 0, 1 },
	{ "__itt_task_end_overlapped", (void **)&task_end_overlapped, 0, 0, 1 },
	{ "__itt_frame_begin_v3", (void **)&frame_begin, 0, 0, 1 },
	{ "__itt_frame_end_v3", (void **)&frame_end, 0, 0, 1 },
	{ "__itt_pause", (void **)&pause_all, 0, 0, 1 },
	{ 0, 0, 0, 0, 0 },
};
static struct {
	unsigned char magic[8];
	unsigned long major, minor, build;
	volatile long initialized, mutex_initialized, counter;
	pthread_mutex_t mutex;
	void *library, *error_handler;
	const char **path;
	void *functions;
} itt_global = { { 0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30 }, 3, 0, 20250807, 0, 0, 0,
		 PTHREAD_MUTEX_INITIALIZER, 0, 0, 0, itt_functions };

static void itt_init(void)
{
	const char *path = getenv("INTEL_LIBITTNOTIFY64");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
	void (*init)(void *, int) =
		library ? (void (*)(void *, int))dlsym(library, "__itt_api_init") : NULL;
	if (init)
		init(&itt_global, -1);
}

#define CALL(function, ...) ((function) ? (function)(__VA_ARGS__) : (void)0)
