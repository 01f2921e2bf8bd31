/* Libraries for stacks_modules.sh: stacks_modules once|often FILE... loads each FILE, calls its
 * function and unloads it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <time.h>

static void use(const char *file, int ms)
{
	void *library = dlopen(file, RTLD_NOW);
	double (*spin)(int) = library ? (double (*)(int))dlsym(library, "spin") : NULL;
	if (!spin || spin(ms) < 0) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	dlclose(library);
}

int main(int argc, char **argv)
{
	int times = argc > 1 && strcmp(argv[1], "often") == 0 ? 400 : 1;
	for (int time = 0; time < times; time++)
		for (int i = 2; i < argc; i++)
			use(argv[i], times > 1 ? 1 : 150);
	printf("%d\n", __libc_single_threaded);
	return 0;
}
