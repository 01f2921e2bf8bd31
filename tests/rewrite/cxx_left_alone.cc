/* flags: -std=c++20 -O1 --sis-cr=CR_F,CR_S,CR_STMT */
#include <array>
#include <cstdio>
#include <utility>
/* What the compiler evaluates has no probes. What it may evaluate has probes that it can skip. */
constexpr int square(int n) { return n * n; }
consteval int cube(int n) { return n * n * n; }
struct Point {
	int x = square(2), y;
	constexpr Point(int y) : y(y) {}
};
static int plain(int n = square(3)) noexcept(noexcept(square(1))) { return n; }
static int whole(int n) try { if (n) throw n; return 0; } catch (int m) { return m + 1; }
static decltype(plain(1)) typed() { return plain(2); }
template <class T> concept Small = sizeof(T) < 8 && requires(T t) { plain(t); };
template <Small T> static T pass(T t) { return t; }
static std::array<int, square(2)> table;
int main()
{
	static_assert(square(2) == 4);
	constexpr Point p(3);
	auto add = [](int a, int b) { return a + b; };
	static_assert([](int a) { return a + 1; }(1) == 2);
	std::printf("%d %d %d %d\n", square(5), cube(2), p.x + p.y, plain());
	std::printf("%d %d %d %d\n", whole(0), whole(4), typed(), pass(3));
	std::printf("%d %zu %d\n", add(1, 2), table.size(), std::as_const(p).x);
}
