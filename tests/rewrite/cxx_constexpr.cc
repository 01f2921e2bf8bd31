/* flags: -std=c++20 -O1 --sis-cr=CR_F,CR_L */
/* The compiler may evaluate a constexpr function. Since C++20, the function is measured where it is
 * executed; regions inside it are not. */
constexpr int power(int x, int n)
{
	int r = 1;
	for (int i = 0; i < n; i++)
		r *= x;
	return r;
}
template <class T> constexpr T sum(T n)
{
	T s = 0;
	for (T i = 0; i < n; i++)
		s += i;
	return s;
}
consteval int once(int x) { int r = 0; for (int i = 0; i < x; i++) r += i; return r; }
struct Length {
	constexpr explicit Length(int n) : n(n) { if (n < 0) throw n; }
	constexpr int twice() const { return 2 * n; }
	int n;
};
static_assert(power(2, 5) == 32 && sum(4L) == 6 && once(3) == 3 && Length(4).twice() == 8);
int table[power(2, 3)];
constinit int at_start = power(3, 2);
int main(int argc, char **)
{
	constexpr auto square = [](int x) { return x * x; };
	return power(2, argc) + sum(argc) + Length(argc).twice() + square(argc) + at_start == 14 ? 0 : 1;
}
