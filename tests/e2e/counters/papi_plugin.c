/* papi_plugin.c - a region in a library that is loaded in mid-run. */
void fake_work(long) __attribute__((weak));

void routine(void)
{
#pragma sis cr loaded pmetric L2_TCM begin
	if (fake_work)
		fake_work(50);
#pragma sis end cr
}
