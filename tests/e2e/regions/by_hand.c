/* by_hand.c - regions, parameters and values that the program names by hand. */
#include <sis/sis.h>
#include <stdio.h>

static int part(int n)
{
	SIS_REGION(part_region);
	int s = 0;
	for (int i = 0; i < n; i++) {
		SIS_PARAMETER(size, i % 3 - 1);
		SIS_VALUE(items, i);
		s += i;
	}
	if (n < 0)
		return -1;
	return s;
}
static void open_it(void) { SIS_REGION_BEGIN(twice); }
static void nested_end(void)
{
	SIS_REGION_BEGIN(inner);
	SIS_REGION_END(twice); /* and with it `inner` */
}
static int paused(void)
{
	SIS_REGION(unseen);
	SIS_VALUE(items, 1000);
	SIS_RESUME();
	return part(3); /* `unseen` has not ended: still nothing */
}

int main(int argc, char **argv)
{
	int r = 0;
	double zero = argc - argc;
	(void)argv;
	SIS_VALUE(temperature, -3.5);
	SIS_VALUE(temperature, 0.0 / zero);
	SIS_REGION_BEGIN(all);
	for (int i = 0; i < 4; i++)
		r += part(10);
	SIS_PAUSE();
	r += part(10);
	r += paused();
	r += part(1);
	SIS_FLUSH();
	SIS_REGION_END(all);
	SIS_REGION_END(never_begun);
	SIS_REGION_BEGIN(twice);
	nested_end();
	SIS_REGION_BEGIN(twice);
	SIS_REGION_END(twice);
	if (argc > 3)
		open_it();
	for (int i = 0; i < 1200; i++) {
		SIS_PARAMETER(many, i);
		r += i & 1;
	}
	printf("%d\n", r);
	return 0;
}
