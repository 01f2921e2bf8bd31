#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
	char line[20] = { 0 };
	FILE *file = tmpfile();
	if (!file || fputs("one two\n", file) < 0 || fflush(file))
		return 1;
	rewind(file);
	while (fgets(line, sizeof line, file))
		fwrite(line, 1, strlen(line), stdout);
	fclose(file);
	char *copy = malloc(10);
	memcpy(copy, line, 8);
	free(copy);
	return fflush(stdout) || write(1, "x\n", 2) != 2;
}
