/* SPDX-License-Identifier: BSD-3-Clause */
// link: schema/tables.c
/* Between begin and end, arithmetic and functions of libc do not obey the environment of the
 * program. After the end this environment is as it was before the begin. */
#include "unit.h"

#include "base/ticks.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

static struct sis_profile_header header;
struct sis_profile_header *sis__header(void) { return &header; }

static volatile double third, three = 3, ten = 10;

static __attribute__((noinline)) void divide(void) { third = ten / three; }

/* Flags that the program has raised, and a rounding mode that it has chosen. */
static void set_environment(void)
{
	feclearexcept(FE_ALL_EXCEPT);
	feraiseexcept(FE_OVERFLOW);
	fesetround(FE_UPWARD);
#ifdef __x86_64__
	feenableexcept(FE_DIVBYZERO | FE_INEXACT | FE_INVALID);
#endif
	feclearexcept(FE_INEXACT); /* an overflow may have raised it, too */
}

static void check_environment(void)
{
	int raised = fetestexcept(FE_ALL_EXCEPT), mode = fegetround();
#ifdef __x86_64__
	ck_assert_int_eq(fedisableexcept(FE_ALL_EXCEPT),
			 FE_DIVBYZERO | FE_INEXACT | FE_INVALID);
#endif
	fesetround(FE_TONEAREST);
	ck_assert_int_eq(raised, FE_OVERFLOW);
	ck_assert_int_eq(mode, FE_UPWARD);
}

START_TEST(arithmetic_does_not_show)
{
	divide();
	double nearest = third;
	set_environment();
	unsigned long long program = sis__arithmetic_begin();
	divide();
	sis__arithmetic_end(program);
	check_environment();
	ck_assert(third == nearest);
}
END_TEST

START_TEST(functions_of_libc_round_to_nearest)
{
	char text[32];
	set_environment();
	struct sis__fp program = sis__fp_begin();
	snprintf(text, sizeof text, "%.1f", 0.01 * three);
	double tenth = strtod("0.1", NULL);
	sis__fp_end(&program);
	check_environment();
	ck_assert_str_eq(text, "0.0");
	ck_assert(tenth == 0.1);
}
END_TEST

/* The stack of the unit for long double stays as it is, with its contents. */
START_TEST(long_doubles_stay)
{
	volatile long double one = 1, before = one / three;
	struct sis__fp program = sis__fp_begin();
	sis__fp_end(&program);
	ck_assert(before == one / three);
}
END_TEST

START_TEST(shares_are_exact)
{
	const uint64_t most = UINT64_MAX;
	feclearexcept(FE_ALL_EXCEPT);
	header.ticks_per_second = 2999999999;
	ck_assert_uint_eq(sis__share(most, most - 1, most), most - 1);
	ck_assert_uint_eq(sis__share((UINT64_C(1) << 53) + 1, 3, 3), (UINT64_C(1) << 53) + 1);
	ck_assert_uint_eq(sis__share(10, 2, 3), 6);
	ck_assert_uint_eq(sis__share(10, 2, 0), 0);
	ck_assert_uint_eq(sis__ticks_to_ns(UINT64_C(2999999999) * 86400), SIS_NS * 86400);
	ck_assert_uint_eq(sis__ns_to_ticks(SIS_NS * 86400), UINT64_C(2999999999) * 86400);
	ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
}
END_TEST

UNIT_MAIN("fp_environment", arithmetic_does_not_show, functions_of_libc_round_to_nearest,
	  long_doubles_stay, shares_are_exact)
