/* flags: -std=c++17 -O1 --sis-cr=CR_F,CR_L,CR_S,CR_A */
/* Lambdas, methods of local classes, and function-try-blocks are functions of their own. */
struct Base {
	explicit Base(int n) : n(n) {}
	int n;
};
template <class T> struct Field : Base {
	T first = [] { T s = 0; for (int i = 0; i < 3; i++) s += T(i); return s; }();
	explicit Field(int n) try : Base(n) {
		if (n < 0) throw n;
	} catch (int e) {
		for (int i = 0; i < e; i++) last += T(i);
	}
	T last = 0;
	template <class F> void each(F f) { for (int i = 0; i < n; i++) last = f(last); }
};
const auto outside = [](int n) { for (int i = 0; i < 3; i++) n += i; return n; };
static int last(int n) try {
	return outside(n);
} catch (...) {
	return 0;
}
int main()
{
	Field<double> field(3);
	int calls = 0;
	field.each([&calls](double x) {
#pragma sis cr part begin
		calls++;
#pragma sis end cr
		if (x > 100)
			return x;
		auto inner = [x](auto y) { for (int i = 0; i < 3; i++) y += x; return y; };
		return inner(2.0);
	});
	struct Local {
		int go(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
	} local;
	auto reference = [&]() -> int & { return calls; };
	reference()++;
	constexpr auto square = [](int x) { return x * x; };
	static_assert(square(3) == 9, "");
	return calls + local.go(3) + last(2) == 12 ? 0 : 1;
}
