/* A program that has a tool of its own. */
#include <stdio.h>

static int initialize(void *lookup, int device, void *data)
{
	return lookup && data && device == 0;
}
static void finalize(void *data) { (void)data, puts("finalized"); }

struct tool {
	int (*initialize)(void *, int, void *);
	void (*finalize)(void *);
	unsigned long data;
};
struct tool *ompt_start_tool(unsigned version, const char *runtime);
struct tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct tool tool = { initialize, finalize, 0 };
	return version && runtime ? &tool : NULL;
}

int main(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		puts("in parallel");
	}
	return 0;
}
