/* One process, one thread: nothing is lost. */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.3 */
#include "known.h"

static void phase(double seconds) { work(seconds); }

int main(void)
{
	phase(0.1);
	phase(0.2);
	return 0;
}
