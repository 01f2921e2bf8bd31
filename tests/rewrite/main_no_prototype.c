/* flags: -std=gnu89 -Wno-implicit-int -Wno-return-type -Wno-strict-prototypes -Wno-deprecated-non-prototype */
#include <stdio.h>
main()
{
	printf("main\n");
	return 2;
}
