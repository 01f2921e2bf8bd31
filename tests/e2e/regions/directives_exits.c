/* directives_exits.c - a region that is left by return, continue, break and goto. */
#include <stdio.h>
static int search(const int *v, int n, int key)
{
	int found = -1;
	for (int i = 0; i < n; i++) {
#pragma sis cr step begin
		if (v[i] == key)
			return i;
		if (v[i] < 0)
			continue;
		if (v[i] > 90)
			break;
		if (v[i] == 50)
			goto out;
		found = i;
#pragma sis end cr
	}
out:
	return found;
}
int main(void)
{
	int v[] = { 1, -1, 2, 50, 3, 99, 4 };
	printf("%d %d %d\n", search(v, 7, 2), search(v, 7, 1000), search(v + 4, 3, 1000));
	return 0;
}
