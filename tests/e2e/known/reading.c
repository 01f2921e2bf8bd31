/* Reading from a pipe that is filled late is time in I/O. */
/* run: 1 1 */
/* truth: 0 0 ODATA_READ 0.3 */
#include "known.h"

int main(void)
{
	char line[16];
	FILE *late = popen("sleep 0.3; echo here", "r");
	if (!late || !fgets(line, sizeof line, late))
		return 1;
	pclose(late);
	return 0;
}
