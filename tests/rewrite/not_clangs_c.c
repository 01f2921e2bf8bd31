/* flags: --sis-cr=CR_F,CR_L,CR_S */
/* What GCC takes and clang does not, in bodies: those functions stay as they are, the others are measured. */
#include <stdio.h>

static int twice(int n)
{
	int s = 0;
	for (int i = 0; i < 2; i++)
		s += n;
	return s;
}

static int nested(int n)
{
	__label__ out;
	int s = 0;
	void add(int i)
	{
		for (int k = 0; k < i; k++)
			s++;
		if (i > 3)
			goto out;
	}
#pragma sis cr inner begin
	for (int i = 0; i < n; i++)
		add(i);
#pragma sis end cr
out:
	return twice(s);
}

static int off(int n)
{
	int twice(int i) { return 2 * i; }
	if (n > 4)
#pragma sis measure disable
		n = 0;
#pragma sis measure enable
	return twice(n);
}

#define BODY(n) { struct { char at[n]; } s; for (int i = 0; i < n; i++) s.at[i] = 1; return (int)sizeof s; }
static int in_a_macro(int n) BODY(n)
static int behind_it(int n) { while (n > 3) n--; return n; }

int main(void)
{
	for (int i = 0; i < 6; i++)
		printf("%d %d %d %d\n", nested(i), off(i), in_a_macro(i + 1), behind_it(i + 2));
	return 0;
}
