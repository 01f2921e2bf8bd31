/* flags: -std=c++17 -O1 --sis-cr=CR_F,CR_S,CR_FOR */
#include <cstdio>
#include <vector>
/* What classes and templates define: each function once, under the name that a programmer writes. */
namespace grid {
template <class T, int n> struct Field {
	Field() : data(n) { for (int i = 0; i < n; i++) data[i] = T(i); }
	explicit Field(T value) : data(n, value) {}
	Field(const Field &) = default;
	~Field() { std::printf("%d gone\n", n); }
	T sum() const { T s = 0; for (const T &x : data) s += x; return s; }
	T &operator[](int i) { return data[i]; }
	static int size() { return n; }
	template <class U> U as(int i) const;
	friend bool operator==(const Field &a, const Field &b) { return a.data == b.data; }
	std::vector<T> data;
};
template <class T, int n> template <class U> U Field<T, n>::as(int i) const { return U(data[i]); }
template <> int Field<int, 2>::sum() const { return data[0] + data[1]; }
namespace { int hidden(int x) { return x + 1; } }
} // namespace grid
struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
	operator double() const { return area(); }
};
struct Square final : Shape {
	explicit Square(double a) : a(a) {}
	double area() const override { return a * a; }
	double a;
};
static int twice(int x) { return 2 * x; }
static double twice(double x) { return 2 * x; }
int main()
{
	grid::Field<double, 4> f;
	grid::Field<int, 2> g(5);
	f[1] = 7.5;
	Square square(3);
	const Shape &shape = square;
	std::printf("%g %d %d\n", f.sum(), g.sum(), f.as<int>(1));
	std::printf("%g %g %d\n", shape.area(), double(shape), grid::Field<int, 2>::size());
	std::printf("%d %g %d %d\n", twice(3), twice(1.5), grid::hidden(1), g == g);
	return twice(4);
}
