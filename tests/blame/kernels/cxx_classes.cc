/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes: constructors' initialisers, methods, operators, base classes, virtual functions.
 *
 * expect: field 4/12 at main
 * expect: sum 1/12 at main
 * expect: shape 4/12 at main
 * expect: circle 3/12 at main */
#include "kernel.h"

#include <vector>

namespace grid {
class Field {
public:
	Field(int n, long work) : data(n), scale(mix(1, work)) {}
	double &operator[](int i) { return data[i]; }
	Field &operator+=(double x)
	{
		for (auto &d : data)
			d += x;
		return *this;
	}
	ALONE void update(long work)
	{
		for (int i = 0; i < 4; i++)
			data[i] = mix(data[i], work / 4);
	}
	double total() const { return data[0] + scale; }

private:
	std::vector<double> data;
	double scale;
};
} // namespace grid

struct Shape {
	double area = 0;
	virtual void measure(long work) = 0;
	virtual ~Shape() {}
};
struct Square : Shape {
	ALONE void measure(long work) override { area = mix(1, work); }
};
struct Circle : Shape {
	double radius = 0;
	ALONE void measure(long work) override
	{
		radius = mix(2, work);
		area = radius * radius;
	}
};

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	grid::Field field(4, unit);
	Shape *shape = argc > 5 ? (Shape *)new Circle : new Square;
	Circle circle;
	field.update(unit);
	field[2] = mix(3, unit);
	field += mix(4, unit);
	double sum = mix(5, unit);
	shape->measure(4 * unit);
	circle.measure(3 * unit);
	printf("%g %g %g %g\n", field.total(), sum, shape->area, circle.area);
	delete shape;
	return 0;
}
