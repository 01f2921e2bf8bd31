/* Tasks of code that sisc does not compile (tasks.c). */
#include <unistd.h>

void foreign(int tasks)
{
	for (int i = 0; i < tasks; i++)
#pragma omp task
		usleep(1);
}
