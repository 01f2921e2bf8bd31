/* top_names.c - a program whose regions have names that a terminal obeys, or that are long: a
 * window's title, a colour, a line of its own, a C1 control, a mark of direction, and 10 KB.
 * It ends when the file that its argument names is there. */
#include <sis/sis.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void nap(struct sis_place *place)
{
	sis__hand_begin(place);
	usleep(10000);
	sis__hand_end(place);
}

int main(int argc, char **argv)
{
	static char name[10001];
	struct sis_place hostile = { "=bad\033]0;x\a\033[31m\r\nFORGED\xc2\x9b\xe2\x80\xae\t\\",
				     __FILE__, __func__, __LINE__, 0 },
			 longest = { name, __FILE__, __func__, __LINE__, 0 };
	(void)argc;
	memset(name, 'n', sizeof name - 1);
	while (access(argv[1], F_OK) != 0) {
		nap(&hostile);
		nap(&longest);
	}
	puts("done");
	return 0;
}
