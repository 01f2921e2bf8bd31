/* flags: -std=c++17 --sis-cr=CR_F,CR_IF */
#include <climits>
#include <cstdio>
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
/* What # and ## make of __LINE__ and INT_MIN is what they make for the compiler. */
#define CHECK(statement, value) \
	do { \
		int GLUE(failed_, __LINE__) = 0; \
		statement; \
		std::printf("%s %s %d\n", TEXT(value), "line " TEXT(__LINE__), \
			    GLUE(failed_, __LINE__)); \
		if (value > 0) \
			goto GLUE(label_, __LINE__); \
		GLUE(label_, __LINE__) :; \
	} while (0)
int main()
{
	int n = 1;
	CHECK(
		{
			if (n)
				n++;
		},
		INT_MIN);
	CHECK({ if (n) n++; }, n + __LINE__);
	std::printf("%d %d\n", n, __LINE__);
}
