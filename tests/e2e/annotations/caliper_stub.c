/* caliper_stub.c - a library with Caliper's documented functions. Each prints its call, so that a
 * program shows whether it still reaches the library. */
#include <stdint.h>
#include <stdio.h>

static const char *const attribute[] = { "loop", "iteration#main", "phase" };

const char *cali_attribute_name(uint64_t id) { return id < 3 ? attribute[id] : NULL; }

#define TEXT(function) \
	void function(const char *name) { printf(#function " %s\n", name ? name : "NULL"); }
TEXT(cali_begin_region)
TEXT(cali_end_region)
TEXT(cali_begin_phase)
TEXT(cali_end_phase)
TEXT(cali_begin_comm_region)
TEXT(cali_end_comm_region)
TEXT(cali_begin_byname)
TEXT(cali_end_byname)
void cali_begin_string_byname(const char *name, const char *value)
{
	printf("cali_begin_string_byname %s %s\n", name, value);
}
void cali_begin_int_byname(const char *name, int value)
{
	printf("cali_begin_int_byname %s %d\n", name, value);
}
void cali_begin_double_byname(const char *name, double value)
{
	printf("cali_begin_double_byname %s %g\n", name, value);
}
void cali_begin(uint64_t id) { printf("cali_begin %d\n", (int)id); }
void cali_begin_string(uint64_t id, const char *value)
{
	printf("cali_begin_string %d %s\n", (int)id, value);
}
void cali_begin_int(uint64_t id, int value) { printf("cali_begin_int %d %d\n", (int)id, value); }
void cali_begin_double(uint64_t id, double x) { printf("cali_begin_double %d %g\n", (int)id, x); }
void cali_end(uint64_t id) { printf("cali_end %d\n", (int)id); }
/* calls another function of its own library */
void cali_safe_end_string(uint64_t id, const char *value)
{
	printf("cali_safe_end_string %d %s\n", (int)id, value);
	cali_end(id);
}
