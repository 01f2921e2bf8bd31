/* flags: -std=c++17 -O1 --sis-cr=CR_BLOCK,CR_FOR,CR_IF,CR_SWITCH,CR_WHILE,CR_STMT,CR_S */
#include <cstdio>
#include <map>
#include <utility>
/* Statements that C does not have. */
static int next(int n) { return n - 1; }
template <class T> static int kind(T)
{
	if constexpr (sizeof(T) == 1)
		return 1;
	else
		return next(3);
}
static int choose(int n)
{
	switch (int m = next(n); m) {
	case 0: return 10;
	case 1: {
		int k = next(m);
		return k;
	}
	default: break;
	}
	return -1;
}
int main()
{
	std::map<int, int> squares;
	for (int i : {3, 1, 2})
		squares[i] = i * i;
	for (auto &[key, value] : squares) {
		if (key == 2)
			continue;
		std::printf("%d %d\n", key, value);
	}
	if (auto found = squares.find(2); found != squares.end())
		std::printf("%d\n", found->second);
	if (int n = next(2))
		std::printf("%d\n", n);
	int k = 3;
	while (int left = next(k)) {
		std::printf("%d\n", left);
		k = left;
	}
	try {
		if (k == 1)
			throw k;
		std::printf("not here\n");
	} catch (int n) {
		std::printf("caught %d\n", n);
	} catch (...) {
		std::printf("not here\n");
	}
	[[maybe_unused]] auto [a, b] = std::pair<int, int>(1, 2);
	std::printf("%d %d %d %d\n", choose(1), choose(2), choose(5), kind('a') + kind(1) + b);
}
