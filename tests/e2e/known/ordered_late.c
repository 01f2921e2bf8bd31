/* The thread of the second iteration comes late to its turn, so that the third waits for it, and
 * then for its turn itself. */
/* build: -fopenmp */
/* run: 1 3 */
/* truth: 0 1 OSYNC_ORDERED 0 */
/* truth: 0 2 OSYNC_ORDERED 0.4 */
/* truth: 0 0 OSYNC_IBAR 0.4 */
/* truth: 0 1 OSYNC_IBAR 0.1 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 0 1 USEFUL 0.5 */
/* truth: 0 2 USEFUL 0.2 */
/* culprit: 0 1 OSYNC_ORDERED 0.3 prepare */
/* culprit: 0 1 OSYNC_ORDERED 0.1 in_turn */
/* advice: ORDERED omp ordered */
/* advisable: LOOP_ORDERED omp parallel for */
#include "known.h"

static void prepare(int i) { work(i == 1 ? 0.4 : 0.1); }
static void in_turn(void) { work(0.1); }

int main(void)
{
#pragma omp parallel for ordered schedule(static, 1)
	for (int i = 0; i < 3; i++) {
		prepare(i);
#pragma omp ordered
		in_turn();
	}
	return 0;
}
