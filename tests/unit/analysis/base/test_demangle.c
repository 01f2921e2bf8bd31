/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Names of C++: as the source has them, long ones without types. */
#include "unit.h"

#include "base/demangle.h"

#include <stdlib.h>

static void is(const char *symbol, const char *wanted)
{
	char *name = demangled(symbol);
	ck_assert_str_eq(name, wanted);
	free(name);
}

START_TEST(short_names_are_those_of_the_source)
{
	is("main", "main");
	is("_Z", "_Z");
	is("_ZN4deep4spinIdEET_S1_", "double deep::spin<double>(double)");
	is("_ZNSt6vectorIdSaIdEE9push_backERKd",
	   "std::vector<double, std::allocator<double> >::push_back(double const&)");
}
END_TEST

#define ITERATOR "N9__gnu_cxx17__normal_iteratorIPdSt6vectorIdSaIdEEEE"

START_TEST(long_names_have_no_types)
{
	is("_ZSt21__unguarded_partitionI" ITERATOR
	   "N9__gnu_cxx5__ops15_Iter_less_iterEET_S9_S9_S9_T0_",
	   "std::__unguarded_partition<...>(...)");
	is("_ZN12_GLOBAL__N_15applyI" ITERATOR "EEvT_S6_S6_",
	   "(anonymous namespace)::apply<...>(...)");
	is("_ZNK6matrixI" ITERATOR "EltERKS5_", "matrix<...>::operator<(...) const");
	is("_ZNK6matrixI" ITERATOR "EclEv", "matrix<...>::operator()() const");
	is("_ZNK6matrixI" ITERATOR "EcvmEv", "matrix<...>::operator unsigned long() const");
	is("_ZN6matrixI" ITERATOR "EptEv", "matrix<...>::operator->()");
}
END_TEST

UNIT_MAIN("demangle", short_names_are_those_of_the_source, long_names_have_no_types)
