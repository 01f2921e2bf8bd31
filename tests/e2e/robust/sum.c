/* sum.c - a small program with a function and a loop. */
static int f(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += i;
	return s;
}
int main(void) { return f(10) != 45; }
