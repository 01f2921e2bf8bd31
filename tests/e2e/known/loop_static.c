/* An unbalanced loop with a static schedule: waits at its implicit barrier. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 0 USEFUL 0.4 */
/* truth: 0 1 USEFUL 0.6 */
/* truth: 0 0 OSYNC_IBAR 0.2 */
/* advice: LOOP_STATIC omp parallel for */
/* run: 1 4 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 3 USEFUL 0.4 */
/* truth: 0 0 OSYNC_IBAR 0.3 */
/* truth: 0 1 OSYNC_IBAR 0.2 */
/* truth: 0 2 OSYNC_IBAR 0.1 */
/* advice: LOOP_STATIC omp parallel for */
#include "known.h"

int main(void)
{
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 4; i++)
		work(0.1 * (i + 1));
	return 0;
}
