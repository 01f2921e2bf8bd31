/* flags: --sis-cr=CR_F,CR_L,CR_SWITCH */
#include <stdio.h>
int main(void)
{
	int s = 0;
	for (int i = 0; i < 10; i++) {
#pragma sis cr body begin
		if (i == 2)
			continue;
		while (1) {
			if (s++ > 100)
				goto out;
			break;
		}
		switch (i) {
		case 3: continue;
		case 7: break;
		default: s += i;
		}
		if (i == 8)
			break;
#pragma sis end cr
	}
out:
	printf("%d\n", s);
	return 0;
}
