#include <stdio.h>
#define ROTATE __builtin_rotateleft32
#if __has_builtin(__builtin_rotateleft32)
#define rotate(x, n) __builtin_rotateleft32(x, n)
#else
#define rotate(x, n) ((x) << (n) | (x) >> (32 - (n)))
#endif
#if __has_builtin(ROTATE)
#define EXPANDS 1
#else
#define EXPANDS 0
#endif
#define SHOW(x, n) do { printf("%x %d\n", rotate(x, n), EXPANDS); } while (0)
#define SHOW_ANSWERS(x) do { printf("%d %d\n", __has_builtin(x), __has_builtin(__builtin_bit_cast)); } while (0)
int main(void)
{
	SHOW(0x12345678u, 8);
	SHOW_ANSWERS(__builtin_has_attribute);
	return 0;
}
