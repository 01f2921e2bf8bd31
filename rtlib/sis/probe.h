/* SPDX-License-Identifier: BSD-3-Clause */
/* sis/probe.h - the code that sisc writes into a program: the tables of a translation unit, and
 * macros that call the probes.
 *
 * Every instrumented translation unit has one struct sis_unit, with a struct sis_region for each of
 * its regions. A probe names a region by its index in that array. sisc writes
 *
 *     SIS_SCOPE(3)                      region 3 lasts to the end of this block, however it is left
 *     SIS_INSTANCE_SCOPE(3)             the same for a template; each instance is a region
 *     SIS_CONSTEXPR_SCOPE(3)            the same for a constexpr function of C++20; the compiler
 *                                       may still evaluate it
 *     SIS_ENTER(3); ... SIS_LEAVE(3);   region 3, if declarations inside it must stay visible
 *                                       behind it
 *     SIS_CALL_BEGIN(3) f(x) SIS_CALL_END(3)     a call with a value, anywhere an expression may
 *                                                stand
 *     SIS_VCALL_BEGIN(3) g(x) SIS_VCALL_END(3)   a call without a value
 *     SIS_SITE(3) MPI_Send(...) SIS_SITE_END     a site: a call that the runtime's wrapper
 *                                                measures
 *     SIS_TASK(3) #pragma omp task ...           the body of the tasks that the construct creates;
 *                                                the runtime enters it
 *     SIS_CLAUSES(3, 2) #pragma omp for ...      what the clauses of the construct do: private
 *                                                copies, reductions
 *     SIS_PRIVATES_MADE(3)                       tells that the private copies are made: at the
 *     SIS_BOUND_BEGIN 0 SIS_BOUND_END            begin of the construct's body, or around the first
 *                                                bound of its loop
 *     SIS_MEASURE_OFF  SIS_MEASURE_ON            nothing is measured in between, not even in
 *                                                functions called there
 *     SIS_START_TRACE  SIS_STOP_TRACE            all threads trace in between, if SIS_TRACE allows
 *                                                it
 *     SIS_BLOCK_BEGIN  SIS_BLOCK_END ...         punctuation, because every token that sisc inserts
 *                                                is a macro
 *
 * This file includes nothing, so that it may come before the program's feature-test macros. It
 * compiles as C11, C99, C90 with GNU extensions, and C++.
 *
 * A pair of probes costs little more than two clock reads (rtlib/sis/pair.h). The compiler sees
 * only this file; the linker adds the probes themselves (apart/modules/probes.c).
 */
#ifndef SIS_PROBE_H
#define SIS_PROBE_H

#ifdef SIS__VERIFY
#include "verify.h"
#else

/* Punctuation. These macros come before the pragma, because GCC warns less about code that follows
 * a token of a system header. */
#define SIS_BLOCK_BEGIN {
#define SIS_BLOCK_END }
#define SIS_EMPTY ;
#define SIS_NOTHING (void)0
#define SIS_UNREACHED __builtin_unreachable();
#define SIS_DO(...) __VA_ARGS__;
#define SIS_FIRST(...) __VA_ARGS__,
#define SIS_SHARED shared(sis__unit, sis__regions)
#define SIS_FIRSTPRIVATE(n) firstprivate(sis__if_##n)

#pragma GCC system_header /* programs that include this file may be compiled with any warnings */

#ifdef __cplusplus
#define SIS__AUTO auto
extern "C" {
#else
#define SIS__AUTO __auto_type
#endif

struct sis_region {
	/* The region's number, from the runtime. The top bit selects the slow path (SIS_ID_*). */
	unsigned id;
	/* Set by the runtime: the routine of MPI that the region calls or, if probes enter and
	 * leave the region, the region's number. */
	unsigned routine;
	/* "TYPE ROUTINE METRICS". ROUTINE is `-` if the region calls none. METRICS are separated by
	 * commas, or are `-` if there are none. */
	const char *what;
};
#define SIS_ID_SPECIAL 0x80000000u /* slow path: unregistered, or with metrics of its own */
#define SIS_ID_OFF 0xffffffffu     /* the region is off: its probes do nothing */
/* The id of an unregistered region: its index in its unit. */
#define SIS_ID_UNREGISTERED(k) (0xc0000000u | (k))
#define SIS_ID_INSTANCE SIS_ID_UNREGISTERED(0x3ffffffeu) /* of an unregistered instance */

struct sis_unit {
	unsigned abi;              /* SIS_PROBE_ABI */
	unsigned count;            /* of regions */
	const char *idf;           /* the unit's description, JSON, in section sis_idf */
	unsigned long idf_length;  /* without the NUL */
	struct sis_unit *next;     /* in the runtime's list */
	struct sis_region *region; /* `count` of them */
};

/* The region of an instance of a template. The runtime describes it as it describes region `of`,
 * with the instance's name, which it takes from __PRETTY_FUNCTION__. `function`: NULL if the
 * compiler does not give it. */
struct sis_described { struct sis_region *of; const char *function; };
struct sis_instance {
	struct sis_region region; /* first, so that the address of one is that of the other */
	void (*describe)(struct sis_described *described);
};
/* The runtime does not measure units with another value of `abi`. */
#define SIS_PROBE_ABI 4u

/* Weak, because a program that is linked without sisc (by mpicxx, mpif90, a build system's own
 * command) may lack the runtime. */
#ifndef SIS__WEAK
#define SIS__WEAK __attribute__((__weak__))
#endif

#pragma GCC visibility push(default)
SIS__WEAK void sis_unit_register(struct sis_unit *unit);
SIS__WEAK void sis_measure(int on); /* 0, 1: off, on. Calls nest: each off needs an on */
void sis_hand_trace_start(void);
void sis_hand_trace_stop(void);

/* Says which activations are open when setjmp returns for the first time. When setjmp returns
 * again, all regions that were entered since then are left. */
struct sis__mark { void *node; unsigned long long folds; unsigned muted, skipped; };
SIS__WEAK void sis_jump_mark(volatile struct sis__mark *mark, int again);

SIS__WEAK void sis__far_enter(struct sis_unit *unit, struct sis_region *region);
SIS__WEAK void sis__far_leave(struct sis_region *region);
SIS__WEAK void sis__far_announce(struct sis_unit *unit, struct sis_region *region);
SIS__WEAK int sis__clauses_begin(struct sis_region *region, unsigned what);
SIS__WEAK void sis__clauses_end(void);
SIS__WEAK void sis__privates_end(void);
SIS__WEAK void sis__overlap_enter(struct sis_unit *unit, struct sis_region *region);
SIS__WEAK void sis__overlap_leave(struct sis_region *region);
#pragma GCC visibility pop

/* Excluded from -finstrument-functions and -pg, because their hooks may have probes. */
#define SIS__INLINE \
	static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__))
/* Also excluded from the thread sanitizer, which does not see the synchronization between
 * successive threads that fill the same tree. */
#define SIS__NOINLINE                                                                   \
	static __attribute__((__noinline__, __unused__, __no_instrument_function__, \
			      __no_sanitize_thread__))

/* Stubs of the probes. When sisc links a program, it adds an object (apart/modules/probes.c) with
 * strong functions of the same names. Otherwise the program uses the stubs. They call the runtime's
 * copy of the probes if the runtime is there. */
#define SIS__WEAK_STUB                                                                           \
	__attribute__((__weak__, __visibility__("hidden"), __noinline__, __externally_visible__, \
		       __no_instrument_function__))

#ifdef SIS__PROBE_LINKAGE /* for the runtime's own copy */
#include "sis/pair.h"
#else
SIS__WEAK_STUB void sis__enter(struct sis_unit *unit, struct sis_region *region)
{
	if (sis__far_enter)
		sis__far_enter(unit, region);
}
SIS__WEAK_STUB void sis__leave(struct sis_region *region)
{
	if (sis__far_leave)
		sis__far_leave(region);
}
#ifdef SIS__NO_SITES /* sisc defines this for units without sites: one function less to compile */
void sis__announce(struct sis_unit *unit, struct sis_region *region);
#else
SIS__WEAK_STUB void sis__announce(struct sis_unit *unit, struct sis_region *region)
{
	if (sis__far_announce)
		sis__far_announce(unit, region);
}
#endif
#endif

/* Because of this test, a region that is off costs only a load and a branch. */
SIS__INLINE void
sis__enter_if_on(struct sis_unit *unit, struct sis_region *region)
{
	if (region->id != SIS_ID_OFF)
		sis__enter(unit, region);
}
SIS__INLINE void sis__leave_if_on(struct sis_region *region)
{
	if (region->id != SIS_ID_OFF)
		sis__leave(region);
}

/* If a macro of a system header contains the word `struct`, GCC treats the rest of the program's
 * line as a part of that header, and gives no warnings for it. So the macros use these names. */
typedef struct sis_region sis__region_type;
typedef struct sis__flag sis__flag_type;

#include "gate.h"

/* Called at the end of a scope. The scope's variable is a pointer to its region if the region was
 * entered, else 0. So a region that is turned off or on in between is left exactly if it was
 * entered. The region is entered by a macro. With an inline function that returns a struct, GCC
 * took six times as long for unoptimized functions with thousands of scopes. */
SIS__INLINE void sis__scope_end(struct sis_region *const *region)
{
	if (*region)
		SIS__LEFT(*region);
}

/* `region` is the region while it is open, else 0. It is volatile, so that it is right after a
 * longjmp, too. */
struct sis__flag { struct sis_region *volatile region; };
SIS__NOINLINE void
sis__flag_enter(struct sis__flag *flag, struct sis_unit *unit, struct sis_region *region)
{
	if (flag->region || region->id == SIS_ID_OFF)
		return;
	flag->region = region;
	sis__enter(unit, region);
}
SIS__NOINLINE void sis__flag_end(struct sis__flag *flag)
{
	struct sis_region *region = flag->region;
	if (!region)
		return;
	flag->region = 0;
	sis__leave(region);
}
SIS__NOINLINE void
sis__overlap_begin(struct sis__flag *flag, struct sis_unit *unit, struct sis_region *region)
{
	if (flag->region || region->id == SIS_ID_OFF)
		return;
	flag->region = region;
	if (sis__overlap_enter)
		sis__overlap_enter(unit, region);
}
SIS__NOINLINE void sis__overlap_end(struct sis__flag *flag)
{
	struct sis_region *region = flag->region;
	if (!region)
		return;
	flag->region = 0;
	if (sis__overlap_leave)
		sis__overlap_leave(region);
}
SIS__INLINE void sis__measure(int on)
{
	if (sis_measure)
		sis_measure(on);
}
SIS__INLINE void sis__off_end(volatile int *off)
{
	if (*off)
		sis__measure(1);
}
/* Returns whether the runtime must be told when the construct ends. */
SIS__INLINE int sis__clauses(struct sis_region *region, unsigned what)
{
	return sis__clauses_begin && sis__clauses_begin(region, what);
}
SIS__INLINE void sis__clauses_left(const volatile int *told)
{
	if (*told && sis__clauses_end)
		sis__clauses_end();
}
SIS__INLINE int sis__privates_made(void)
{
	if (sis__privates_end)
		sis__privates_end();
	return 0;
}
SIS__INLINE int sis__jump_back(volatile struct sis__mark *mark, int value)
{
	if (sis_jump_mark)
		sis_jump_mark(mark, value != 0);
	return value;
}

/* A scope in C++ needs the function that unwinds C++, even if the program is linked without the
 * library of C++, which it does not use. The reference is weak, so that it links nevertheless. With
 * -flto, GNU ld would not find a weak one even in that library. So sisc defines
 * SIS__LTO for files that a compiler of C++ compiles with -flto. */
#if defined __cplusplus && defined __EXCEPTIONS && !defined SIS__PROBE_LINKAGE && \
	!defined SIS__LTO
__asm__(".weak __gxx_personality_v0");
#endif

#ifndef SIS__PROBE_LINKAGE
/* -- the constructor of a translation unit ----------------------------------------------------- */

/* A program that was linked without the runtime runs as if it were not instrumented. A process that
 * no launcher started, or rank 0, says why nothing is measured. It uses names of libc that no
 * program defines itself. */
extern char **sis__environ __asm__("__environ") SIS__WEAK;
extern long sis__write(int file, const void *bytes,
		       __SIZE_TYPE__ count) __asm__("__write") SIS__WEAK;
/* whether the process has given this message; one variable for all units */
__attribute__((__weak__, __visibility__("hidden"))) char sis__is_told;

/* This code is in every unit and runs at most once. Compiling it without optimization takes only a
 * quarter of the time. */
#define SIS__COLD_NOOPT __attribute__((__cold__, __optimize__(0)))

/* Whether the environment variable `variable` is `wanted` (NAME=VALUE). If `wanted` is NAME=, the
 * result is whether the variable NAME is set and its value does not begin with 0. */
SIS__INLINE int sis__says(const char *variable, const char *wanted)
{
	while (*wanted && *variable == *wanted) {
		variable++;
		wanted++;
	}
	return !*wanted && (wanted[-1] == '=' ? *variable != '0' : !*variable);
}
SIS__NOINLINE SIS__COLD_NOOPT int sis__is_silent(void)
{
	static const char *const silent[] = { "SIS_LOG=quiet", "SIS_ENABLE=0",
					      "PMI_RANK=", "PMIX_RANK=", "SLURM_PROCID=" };
	char **variable;
	unsigned i;
	for (variable = &sis__environ ? sis__environ : 0; variable && *variable; variable++)
		for (i = 0; i < sizeof silent / sizeof *silent; i++)
			if (sis__says(*variable, silent[i]))
				return 1;
	return 0;
}
SIS__WEAK_STUB SIS__COLD_NOOPT void sis__unit_begin(struct sis_unit *unit)
{
	static const char text[] =
		"sis: warning: this program is not measured: it was linked without the runtime; "
		"link it with "
		"sisc, with sisc++, or with `sisc --sis-cc=COMPILER`\n";
	unsigned k;
	if (sis_unit_register) {
		sis_unit_register(unit);
		return;
	}
	for (k = 0; k < unit->count; k++)
		unit->region[k].id = SIS_ID_OFF;
	if (!sis__is_told && sis__write && !sis__is_silent() &&
	    sis__write(2, text, sizeof text - 1) < 0)
		return; /* the message could not be written */
	sis__is_told = 1;
}
#endif

#define SIS_SCOPE(k)                                             \
	__attribute__((__cleanup__(sis__scope_end), __unused__)) \
	sis__region_type *sis__scope_##k = SIS__ENTERED(k);
/* The region ends at SIS_CLOSE and on every other way out of the program's own block. The macros
 * make no block of their own, so that the declarations that follow stay visible. */
#define SIS_OPEN(k) SIS_SCOPE(k)
#define SIS_CLOSE(k) (sis__scope_end(&sis__scope_##k), (void)(sis__scope_##k = 0));
#define SIS_ENTER(k) sis__enter_if_on(&sis__unit, &sis__regions[k]);
#define SIS_LEAVE(k) sis__leave_if_on(&sis__regions[k]);
#define SIS_CALL_BEGIN(k) \
	(__extension__({ sis__region_type *sis__region = SIS__ENTERED_AROUND(k); \
		SIS__AUTO sis__value =
#define SIS_CALL_END(k) ; SIS__LEFT_UNLESS_0(sis__region); sis__value; }))
#define SIS_VCALL_BEGIN(k) (__extension__({ sis__region_type *sis__region = SIS__ENTERED_AROUND(k);
#define SIS_VCALL_END(k) ; SIS__LEFT_UNLESS_0(sis__region); }))
/* These do the same, but enter the region only if C is true. */
#define SIS_SCOPE_IF(k, C)                                       \
	__attribute__((__cleanup__(sis__scope_end), __unused__)) \
	sis__region_type *sis__scope_##k = (C) ? SIS__ENTERED(k) : 0;
#define SIS_OPEN_IF(k, C) SIS_SCOPE_IF(k, C)
#define SIS_CLOSE_IF(k, C) SIS_CLOSE(k)
/* For a region with several ways in, or one that is not within a block. Its flag is declared,
 * empty, at the beginning of a block around all ways in. ENTER and LEAVE are wherever control may
 * come in or go out. ENTER does nothing if the region is open, and LEAVE if it is closed. */
#define SIS_FLAG(k) \
	__attribute__((__cleanup__(sis__flag_end), __unused__)) \
	sis__flag_type sis__flag_##k = { 0 };
#define SIS_FLAG_ENTER(k) sis__flag_enter(&sis__flag_##k, &sis__unit, &sis__regions[k])
#define SIS_FLAG_ENTER_IF(k, C) ((C) ? SIS_FLAG_ENTER(k) : (void)0)
#define SIS_FLAG_LEAVE(k) sis__flag_end(&sis__flag_##k)
/* These do the same for a region that overlaps another one: it is left while the other region,
 * which was entered later, goes on. */
#define SIS_OVERLAP(k) \
	__attribute__((__cleanup__(sis__overlap_end), __unused__)) \
	sis__flag_type sis__flag_##k = { 0 };
#define SIS_OVERLAP_ENTER(k) sis__overlap_begin(&sis__flag_##k, &sis__unit, &sis__regions[k])
#define SIS_OVERLAP_ENTER_IF(k, C) ((C) ? SIS_OVERLAP_ENTER(k) : (void)0)
#define SIS_OVERLAP_LEAVE(k) sis__overlap_end(&sis__flag_##k)
/* The value of a directive's if(...): negative outside the directive's scope, and 0 or 1 inside.
 * SIS_IF_ONCE is for whole functions. The expression may call functions whose directives have such
 * conditions, too. While it is evaluated, all other conditions count as false.
 * LIMIT: if longjmp leaves such an expression, no other condition is evaluated in this thread and
 * translation unit from then on. */
static __thread signed char sis__asking __attribute__((__unused__));
#define SIS__ASK(...) (__extension__({ \
	signed char sis__answer = 0; \
	if (!sis__asking) { \
		sis__asking = 1; \
		sis__answer = (__VA_ARGS__) ? 1 : 0; \
		sis__asking = 0; \
	} \
	sis__answer; }))
#define SIS_IF(n) __attribute__((__unused__)) volatile signed char sis__if_##n = -1;
#define SIS_IF_ENTER(n, ...) ((void)(sis__if_##n < 0 && (sis__if_##n = SIS__ASK(__VA_ARGS__))))
#define SIS_IF_LEAVE(n) ((void)(sis__if_##n = -1))
#define SIS_IF_ONCE(n, ...) \
	__attribute__((__unused__)) signed char sis__if_##n = SIS__ASK(__VA_ARGS__);
#define SIS_CALL_BEGIN_IF(k, C) \
	(__extension__({ sis__region_type *sis__region = (C) ? SIS__ENTERED_AROUND(k) : 0; \
		SIS__AUTO sis__value =
#define SIS_CALL_END_IF(k, C) SIS_CALL_END(k)
#define SIS_VCALL_BEGIN_IF(k, C) \
	(__extension__({ sis__region_type *sis__region = (C) ? SIS__ENTERED_AROUND(k) : 0;
#define SIS_VCALL_END_IF(k, C) SIS_VCALL_END(k)
#define SIS_SITE(k) (SIS__ANNOUNCE(k),
#define SIS_SITE_IF(k, C) (((C) ? SIS__ANNOUNCE(k) : (void)0),
#define SIS_SITE_END )
#define SIS_TASK(k) sis__announce(&sis__unit, &sis__regions[k]);
#define SIS_TASK_IF(k, C) ((C) ? sis__announce(&sis__unit, &sis__regions[k]) : (void)0);
/* `what` is a sum of enum sis_clause. SIS_CLAUSES comes directly behind the probe that enters the
 * region. The variable is volatile, because otherwise the compiler duplicates the construct for
 * either value, and samples in it cannot be attributed. */
enum sis_clause {
	SIS_CLAUSE_PRIVATE = 1,       /* private copies that take time, so they are timed */
	SIS_CLAUSE_REDUCE = 2,        /* a reduction whose combination takes time, so it is timed */
	SIS_CLAUSE_COUNT_PRIVATE = 4, /* private copies of scalars, which are only counted */
	SIS_CLAUSE_COUNT_REDUCE = 8,  /* a reduction of scalars, which is only counted */
	SIS_CLAUSE_LIBOMP = 16        /* a call of libomp tells when the copies are made */
};
#define SIS_CLAUSES(k, what)                                       \
	__attribute__((__cleanup__(sis__clauses_left), __unused__)) \
	volatile int sis__clauses_##k = sis__clauses(&sis__regions[k], what);
/* This is a declaration, because declarations of the program may follow. */
#define SIS_PRIVATES_MADE(k) __attribute__((__unused__)) int sis__made_##k = sis__privates_made();
#define SIS_BOUND_BEGIN (sis__privates_made(),
#define SIS_BOUND_END )
#define SIS_JUMP(n) __attribute__((__unused__)) volatile struct sis__mark sis__jump_##n;
#define SIS_JUMP_BEGIN(n) (sis__jump_back(&sis__jump_##n,
#define SIS_JUMP_END ))
#define SIS_MEASURE_OFF sis__measure(0);
#define SIS_MEASURE_ON sis__measure(1);
#define SIS_START_TRACE sis_hand_trace_start();
#define SIS_STOP_TRACE sis_hand_trace_stop();
/* Like SIS_MEASURE_OFF and SIS_MEASURE_ON, for lines that may be left in other ways than at their
 * end. Each use needs a different n. */
#define SIS_OFF_SCOPE(n)                                       \
	__attribute__((__cleanup__(sis__off_end), __unused__)) \
	volatile int sis__off_##n = (sis__measure(0), 1);
#define SIS_OFF_OPEN(n) SIS_OFF_SCOPE(n)
#define SIS_OFF_CLOSE(n) (sis__off_##n = 0, sis__measure(1));
#define SIS_OFF_FLAG(n) \
	__attribute__((__cleanup__(sis__off_end), __unused__)) volatile int sis__off_##n = 0;
#define SIS_OFF_ENTER(n) (sis__off_##n ? (void)0 : ((void)(sis__off_##n = 1), sis__measure(0)))
#define SIS_OFF_LEAVE(n) (sis__off_##n ? ((void)(sis__off_##n = 0), sis__measure(1)) : (void)0)

#ifdef __cplusplus
}
/* A template has a type of its own for each of its instances. So a variable that depends on this
 * type exists once for each instance. It is hidden, because a gate must know its distance. */
#if __cplusplus >= 201103L
template <class Type> struct __attribute__((__visibility__("hidden"))) sis__instance {
	static sis_instance at;
};
template <class Type>
sis_instance sis__instance<Type>::at = { { SIS_ID_INSTANCE, 0, 0 }, Type::describe };
/* In the local type, clang does not name the parameters of all templates. GCC does, but leaves the
 * variable of a generic lambda in a template empty. */
#ifdef __clang__
#define SIS__NAME_FUNCTION(k) static const char *const sis__function_##k = __PRETTY_FUNCTION__;
#define SIS__FUNCTION(k) sis__function_##k
#else
#define SIS__NAME_FUNCTION(k)
#define SIS__FUNCTION(k) __PRETTY_FUNCTION__
#endif
/* If link-time optimization drops an instance, because the linker keeps a copy without probes, the
 * symbol of this function is all that is left of the instance. sis-analyze finds it. */
#ifdef SIS__LTO
#define SIS__LASTING __attribute__((__used__))
#else
#define SIS__LASTING
#endif
#define SIS_INSTANCE_SCOPE(k)                                                               \
	SIS__NAME_FUNCTION(k)                                                               \
	struct sis__type_##k {                                                              \
		SIS__LASTING static void describe(sis_described *described)                 \
		{                                                                           \
			described->of = &sis__regions[k];                                   \
			described->function = SIS__FUNCTION(k);                             \
		}                                                                           \
	};                                                                                  \
	__attribute__((__cleanup__(sis__scope_end), __unused__))                            \
	sis__region_type *sis__scope_##k =                                                  \
		SIS__ENTERED_OF(sis__instance<sis__type_##k>::at.region);
#else
#define SIS_INSTANCE_SCOPE(k) SIS_SCOPE(k)
#endif
#ifdef __cpp_constexpr_dynamic_alloc /* there are constexpr destructors */
struct sis__constexpr_scope {
	sis_region *region;
	__attribute__((__always_inline__, __no_instrument_function__))
	constexpr sis__constexpr_scope(sis_unit *unit, sis_region *of) : region(nullptr)
	{
		if (!__builtin_is_constant_evaluated() && of->id != SIS_ID_OFF) {
			region = of;
			sis__enter(unit, of);
		}
	}
	__attribute__((__always_inline__, __no_instrument_function__))
	constexpr ~sis__constexpr_scope()
	{
		if (!__builtin_is_constant_evaluated() && region)
			sis__leave(region);
	}
};
#define SIS_CONSTEXPR_SCOPE(k) sis__constexpr_scope sis__scope_##k(&sis__unit, &sis__regions[k]);
#endif
#endif
#endif /* SIS__VERIFY */
#endif
