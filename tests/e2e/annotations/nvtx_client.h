/* nvtx_client.h - what NVTX 3 puts into a program, written from its documented interface: each
 * function calls the variable of its number. The first call opens the library that
 * NVTX_INJECTION64_PATH names. A variable that the library does not set stays 0. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

enum { NVTX_CORE = 1, NVTX_CORE2 = 5, NVTX_FUNCTIONS = 16 };
typedef void nvtx_function(void);
static nvtx_function *nvtx_set[2][NVTX_FUNCTIONS]; /* of CORE and CORE2 */
static nvtx_function **nvtx_table[2][NVTX_FUNCTIONS + 1];

static int nvtx_module_functions(int module, nvtx_function ****table, unsigned *count)
{
	int which = module == NVTX_CORE2;
	if (module != NVTX_CORE && module != NVTX_CORE2)
		return 0;
	for (int i = 1; i < NVTX_FUNCTIONS; i++)
		nvtx_table[which][i] = &nvtx_set[which][i];
	*table = nvtx_table[which];
	*count = NVTX_FUNCTIONS;
	return 1;
}

static const void *nvtx_export_table(uint32_t number)
{
	static const struct {
		size_t size;
		int (*functions)(int, nvtx_function ****, unsigned *);
	} callbacks = { sizeof callbacks, nvtx_module_functions };
	return number == 1 ? &callbacks : NULL;
}

static void nvtx_init(void)
{
	const char *path = getenv("NVTX_INJECTION64_PATH");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
	int (*init)(const void *(*)(uint32_t)) =
		library ? (int (*)(const void *(*)(uint32_t)))dlsym(library,
								   "InitializeInjectionNvtx2")
			: NULL;
	if (init && !init(nvtx_export_table))
		dlclose(library);
}

static nvtx_function *nvtx(int module, int number)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, nvtx_init);
	return nvtx_set[module == NVTX_CORE2][number];
}

/* NVTX_CALL(otherwise, type of result, module, number, (types), (arguments)) */
#define NVTX_CALL(otherwise, result, module, number, types, arguments)           \
	(nvtx(module, number) ? ((result (*) types)nvtx(module, number)) arguments \
			      : (result)(otherwise))

typedef struct {
	uint16_t version, size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type, reserved;
	uint64_t payload;
	int32_t message_type; /* 1: ascii, 2: unicode, 3: registered */
	union { const char *ascii; const wchar_t *unicode; void *registered; } message;
} nvtx_attributes;
#define NVTX_ATTRIBUTES(...) (&(nvtx_attributes){ 3, sizeof(nvtx_attributes), __VA_ARGS__ })

#define push(name) NVTX_CALL(-2, int, NVTX_CORE, 9, (const char *), (name))
#define push_wide(name) NVTX_CALL(-2, int, NVTX_CORE, 10, (const wchar_t *), (name))
#define push_ex(a) NVTX_CALL(-2, int, NVTX_CORE, 8, (const nvtx_attributes *), (a))
#define pop() NVTX_CALL(-2, int, NVTX_CORE, 11, (void), ())
#define start(name) NVTX_CALL(0, uint64_t, NVTX_CORE, 5, (const char *), (name))
#define end(id) NVTX_CALL(0, int, NVTX_CORE, 7, (uint64_t), (id))
#define name_category(id, name) \
	NVTX_CALL(0, int, NVTX_CORE, 12, (uint32_t, const char *), (id, name))
#define domain_create(name) NVTX_CALL(0, void *, NVTX_CORE2, 12, (const char *), (name))
#define domain_destroy(d) NVTX_CALL(0, int, NVTX_CORE2, 14, (void *), (d))
#define domain_name_category(d, id, name) \
	NVTX_CALL(0, int, NVTX_CORE2, 8, (void *, uint32_t, const char *), (d, id, name))
#define domain_register(d, s) \
	NVTX_CALL(0, void *, NVTX_CORE2, 10, (void *, const char *), (d, s))
#define domain_push(d, a) \
	NVTX_CALL(-2, int, NVTX_CORE2, 4, (void *, const nvtx_attributes *), (d, a))
#define domain_pop(d) NVTX_CALL(-2, int, NVTX_CORE2, 5, (void *), (d))
#define domain_start(d, a) \
	NVTX_CALL(0, uint64_t, NVTX_CORE2, 2, (void *, const nvtx_attributes *), (d, a))
