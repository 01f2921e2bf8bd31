/* SPDX-License-Identifier: BSD-3-Clause */
/* caliper.c - Caliper's functions that begin and end regions. They are interposed, and call
 * Caliper's. Any thread may call them.
 *
 * A region of an attribute is called ATTRIBUTE/VALUE if the value is a string. A number is not part
 * of the name, because each number would be a region. Caliper nests the regions of each attribute
 * by themselves, so each attribute is an owner.
 *
 * LIMIT: of the C++ interface, Function and ScopeAnnotation are regions, Loop and Annotation not.
 * LIMIT: a program that contains libcaliper.a calls its own functions.
 */
#include "apart/annotations/annotations.h"
#include "apart/annotations/interposed.h"

#include "fnv.h"

#include <string.h>

static __thread unsigned inside; /* > 0: Caliper calls its own functions, which only forward */

/* Calls Caliper's function, and `before` and `after` it. */
#define CALL(name, arguments, before, after) \
	({ \
		bool is_outer = inside++ == 0; \
		if (is_outer) \
			before; \
		int result = REAL(name, arguments); \
		if (is_outer) \
			after; \
		inside--; \
		result; \
	})
#define BEGIN(name, arguments, ...) CALL(name, arguments, (void)0, begin(__VA_ARGS__))
#define END(name, arguments, ...) CALL(name, arguments, end(__VA_ARGS__), (void)0)

/* -- named regions ----------------------------------------------------------------------------- */

static void begin(const char *attribute, const char *domain, const char *name);
static void end(const char *attribute);

#define NAMED(what, attribute) \
	INTERPOSED(cali_begin_##what, (const char *name)) \
	{ \
		return BEGIN(cali_begin_##what, (name), attribute, NULL, name); \
	} \
	INTERPOSED(cali_end_##what, (const char *name)) \
	{ \
		return END(cali_end_##what, (name), attribute); \
	}
NAMED(region, "region")
NAMED(phase, "phase")
NAMED(comm_region, "comm.region")

/* Constructors and destructors of a class, by the names that the ABI of C++ gives them. A compiler
 * may call either of two. */
#define CLASS(type, n) \
	INTERPOSED(_ZN4cali##type##C##n##EPKc, (void *object, const char *name)) \
	{ \
		return BEGIN(_ZN4cali##type##C##n##EPKc, (object, name), "region", NULL, name); \
	} \
	INTERPOSED(_ZN4cali##type##D##n##Ev, (void *object)) \
	{ \
		return END(_ZN4cali##type##D##n##Ev, (object), "region"); \
	}
CLASS(8Function, 1)
CLASS(8Function, 2)
CLASS(15ScopeAnnotation, 1)
CLASS(15ScopeAnnotation, 2)

/* -- attributes -------------------------------------------------------------------------------- */

static void begin(const char *attribute, const char *domain, const char *name)
{
	const void *owner = (const void *)sis_fnv(SIS_FNV_START, attribute, strlen(attribute));
	sis__annotation_begin(owner, sis__annotation(domain, name));
}

static void end(const char *attribute)
{
	sis__annotation_end((const void *)sis_fnv(SIS_FNV_START, attribute, strlen(attribute)));
}

/* A name of the program, which may be NULL. */
static const char *name_of(const char *attribute) { return attribute ? attribute : ""; }

INTERPOSED(cali_begin_byname, (const char *attribute))
{
	return BEGIN(cali_begin_byname, (attribute), name_of(attribute), NULL, attribute);
}

INTERPOSED(cali_begin_string_byname, (const char *attribute, const char *value))
{
	return BEGIN(cali_begin_string_byname, (attribute, value), name_of(attribute), attribute,
		     value);
}

INTERPOSED(cali_begin_int_byname, (const char *attribute, int value))
{
	return BEGIN(cali_begin_int_byname, (attribute, value), name_of(attribute), NULL,
		     attribute);
}

INTERPOSED(cali_begin_double_byname, (const char *attribute, double value))
{
	return BEGIN(cali_begin_double_byname, (attribute, value), name_of(attribute), NULL,
		     attribute);
}

INTERPOSED(cali_end_byname, (const char *attribute))
{
	return END(cali_end_byname, (attribute), name_of(attribute));
}

/* -- attributes by number ---------------------------------------------------------------------- */

const char *cali_attribute_name(uint64_t id);

/* The type of this function is Caliper's. It is not interposed. */
static const char *name_of_id(uint64_t id)
{
	static __typeof__(&cali_attribute_name) found;
	__typeof__(&cali_attribute_name) real = __atomic_load_n(&found, __ATOMIC_RELAXED);
	if (!real) {
		real = (__typeof__(real))sis__interposed_real("cali_attribute_name", NULL);
		__atomic_store_n(&found, real, __ATOMIC_RELAXED); /* all store the same */
	}
	return name_of(real(id));
}

INTERPOSED(cali_begin, (uint64_t id))
{
	return BEGIN(cali_begin, (id), name_of_id(id), NULL, name_of_id(id));
}

INTERPOSED(cali_begin_string, (uint64_t id, const char *value))
{
	return BEGIN(cali_begin_string, (id, value), name_of_id(id), name_of_id(id), value);
}

INTERPOSED(cali_begin_int, (uint64_t id, int value))
{
	return BEGIN(cali_begin_int, (id, value), name_of_id(id), NULL, name_of_id(id));
}

INTERPOSED(cali_begin_double, (uint64_t id, double value))
{
	return BEGIN(cali_begin_double, (id, value), name_of_id(id), NULL, name_of_id(id));
}

INTERPOSED(cali_end, (uint64_t id)) { return END(cali_end, (id), name_of_id(id)); }

INTERPOSED(cali_safe_end_string, (uint64_t id, const char *value))
{
	return END(cali_safe_end_string, (id, value), name_of_id(id));
}
