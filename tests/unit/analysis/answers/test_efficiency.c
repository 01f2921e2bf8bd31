/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis -lm */
/* Efficiencies of processing units that were not measured all the time: none leaves 0 to 1, and
 * each is the product of its factors. */
#include "unit.h"
#include "answers/query/efficiency.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 12 };
static struct pu_account pu[MOST];
static struct efficiencies e;

static double value(int i) { return e.value[i] < 0 ? 1 : e.value[i]; }

static void judge(size_t n, double t)
{
	efficiencies_compute(&e, pu, n, t);
	for (int i = 0; i < EFFICIENCIES; i++)
		ck_assert_msg(e.value[i] <= 1 + 1e-12 && !isnan(e.value[i]), "%s is %.17g",
			      efficiency_key(i), e.value[i]);
	if (e.value[EFFICIENCY_OMP] >= 0) /* else waits for threads are no factor */
		ck_assert_double_eq_tol(value(EFFICIENCY_PARALLEL),
					value(EFFICIENCY_MPI) * value(EFFICIENCY_OMP) *
					value(EFFICIENCY_LOCAL), 1e-9);
	ck_assert_double_eq_tol(value(EFFICIENCY_MPI),
				value(EFFICIENCY_MPI_BALANCE) * value(EFFICIENCY_MPI_COMM), 1e-9);
}

/* Processing unit i: the sum of useful work and leaves is the wall time less `unmeasured`. */
static void unit(size_t i, int64_t process, int64_t thread, double t, double unmeasured,
		 double useful)
{
	pu[i] = (struct pu_account){ .process = process, .thread = thread };
	pu_account_add(&pu[i], UNMEASURED, unmeasured);
	pu_account_add(&pu[i], O_NONE, useful);
	pu_account_add(&pu[i], OSYNC_MBAR, t - unmeasured - useful);
}

START_TEST(a_process_that_is_paused_has_its_own_time)
{
	unit(0, 0, 0, 10, 0, 8);
	unit(1, 1, 0, 10, 6, 4); /* of the four seconds that were measured, none in MPI */
	judge(2, 10);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_MPI_COMM], 1, 1e-12);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_MPI], 12. / 14, 1e-12);
	unit(0, 0, 0, 10, 0, 5);
	unit(1, 1, 0, 10, 5, 2.5); /* half of its own time, as the other one */
	judge(2, 10);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_MPI_BALANCE], 1, 1e-12);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_MPI_COMM], 0.5, 1e-12);
	unit(1, 1, 0, 10, 10, 0); /* nothing of it was measured */
	judge(2, 10);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_MPI], 0.5, 1e-12);
}
END_TEST

START_TEST(without_pauses_they_are_those_of_pop)
{
	unit(0, 0, 0, 10, 0, 8), unit(1, 1, 0, 10, 0, 4);
	judge(2, 10);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_MPI_COMM], 0.8, 1e-12);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_MPI_BALANCE], 0.75, 1e-12);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_PARALLEL], 0.6, 1e-12);
}
END_TEST

START_TEST(a_lack_of_processors_within_mpi_is_within_mpi)
{
	unit(0, 0, 0, 10, 0, 5), unit(1, 1, 0, 8, 0, 5);
	pu_account_add(&pu[1], OLOSS_NOCPU, 2);
	judge(2, 10);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_MPI_COMM], 0.7, 1e-12);
	pu_account_in_mpi(&pu[1], 2);
	judge(2, 10);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_MPI_COMM], 0.5, 1e-12);
	ck_assert_double_eq_tol(e.value[EFFICIENCY_MPI_BALANCE], 1, 1e-12);
}
END_TEST

static double part_of(double *rest)
{
	double part = *rest * (rand() % 4 ? (rand() % 1001) / 1000. : 1);
	*rest -= part;
	return part;
}

/* Threads of a process may differ in everything: pauses, calls of MPI, waits. */
START_TEST(none_leaves_0_to_1)
{
	static const enum sis_overhead leaves[] = { O_NONE, OPROBE, OSYNC_LOCK, OCTRL_SCHED,
						    OLOSS_NOCPU, OSYNC_MBAR, OLOSS_UNPAR };
	srand(4711);
	for (int round = 0; round < 20000; round++) {
		size_t n = 0, processes = 1 + (size_t)rand() % 4;
		for (size_t p = 0; p < processes; p++)
			for (size_t threads = 1 + (size_t)rand() % 3, k = 0; k < threads;
			     k++, n++) {
				double rest = 10;
				pu[n] = (struct pu_account){ .process = (int64_t)p,
							     .thread = (int64_t)k };
				pu_account_add(&pu[n], UNMEASURED, rand() % 2 ? part_of(&rest) : 0);
				for (size_t l = 0; l < sizeof leaves / sizeof *leaves; l++)
					pu_account_add(&pu[n], leaves[l], part_of(&rest));
				pu_account_add(&pu[n], OSYNC_MBAR, rest);
			}
		judge(n, 10);
	}
}
END_TEST

UNIT_MAIN("efficiency", a_process_that_is_paused_has_its_own_time,
	  without_pauses_they_are_those_of_pop, a_lack_of_processors_within_mpi_is_within_mpi,
	  none_leaves_0_to_1)
