/* Parts of the run are not measured: a pause that goes on in the caller, a block with a team in it,
 * a pause that a jump leaves, and a pause in each thread. The worker is not measured either while
 * the initial thread is not. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.4 */
/* truth: 0 0 UNMEASURED 0.65 */
/* truth: 0 1 USEFUL 0.15 */
/* truth: 0 1 UNMEASURED 0.65 */
/* truth: 0 1 OLOSS_UNPAR 0.25 */
/* culprit: 0 0 OLOSS_UNPAR 0.25 main */
/* advice: UNPAR_SERIAL work */
#include <setjmp.h>
#include <sis/sis.h>
#include "known.h"

static jmp_buf back;

static void pause_late(void)
{
	work(0.05);
	SIS_PAUSE();
	work(0.15);
}

static void pause_and_jump(void)
{
	SIS_PAUSE();
	work(0.05);
	longjmp(back, 1);
}

static void team(void)
{
#pragma omp parallel
	work(0.1);
}

int main(void)
{
	pause_late();
	work(0.1);
	SIS_RESUME();
	work(0.15);
	team();
#pragma sis measure disable
	team();
	work(0.1);
#pragma sis measure enable
	if (!setjmp(back))
		pause_and_jump();
	work(0.05);
	SIS_RESUME();
	work(0.05);
#pragma omp parallel
	{
		SIS_PAUSE();
		work(0.1);
		SIS_RESUME();
		work(0.05);
	}
	return 0;
}
