/* SPDX-License-Identifier: BSD-3-Clause */
/* fem_poisson.cc - the program of fem_poisson.c in C++: the same steps and variables of main, with
 * containers of the library and a class for the matrix.
 *
 *      fem_poisson_cc [NODES]     nodes along one side; 250 when nothing is said */
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <vector>

using Vector = std::vector<double>;
using Triangle = std::array<int, 3>;
struct Point {
	double x, y;
};

static double exact(const Point &p) { return std::sin(M_PI * p.x) * std::sin(M_PI * p.y) + p.x; }
static double right_side(const Point &p)
{
	return 2 * M_PI * M_PI * std::sin(M_PI * p.x) * std::sin(M_PI * p.y);
}

/* An edge of a triangle. Equal edges of different triangles are neighbours. */
struct Edge {
	int low, high, element, side;
	bool operator<(const Edge &other) const
	{
		return low != other.low ? low < other.low : high < other.high;
	}
	bool operator==(const Edge &other) const { return low == other.low && high == other.high; }
};

static std::vector<Edge> edges_sorted(const std::vector<Triangle> &element_node)
{
	std::vector<Edge> edges;
	for (size_t e = 0; e < element_node.size(); e++)
		for (int k = 0; k < 3; k++) {
			auto [low, high] = std::minmax(
				{ element_node[e][k], element_node[e][(k + 1) % 3] });
			edges.push_back({ low, high, (int)e, k });
		}
	std::sort(edges.begin(), edges.end());
	return edges;
}

static std::vector<Triangle> mesh_neighbors(const std::vector<Triangle> &element_node)
{
	std::vector<Triangle> neighbor(element_node.size(), Triangle{ -1, -1, -1 });
	auto edges = edges_sorted(element_node);
	for (size_t i = 0; i + 1 < edges.size(); i++)
		if (edges[i] == edges[i + 1]) {
			neighbor[edges[i].element][edges[i].side] = edges[i + 1].element;
			neighbor[edges[i + 1].element][edges[i + 1].side] = edges[i].element;
		}
	return neighbor;
}

static std::vector<char> mesh_boundary(const std::vector<Triangle> &element_node, size_t node_num)
{
	std::vector<char> boundary(node_num);
	auto edges = edges_sorted(element_node);
	for (size_t i = 0; i < edges.size(); i++) {
		bool before = i > 0 && edges[i - 1] == edges[i];
		bool after = i + 1 < edges.size() && edges[i] == edges[i + 1];
		if (!before && !after)
			boundary[edges[i].low] = boundary[edges[i].high] = true;
	}
	return boundary;
}

/* A matrix in compressed rows: row i has the columns ja[ia[i]] ... ja[ia[i + 1] - 1]. */
struct Matrix {
	std::vector<int> ia, ja;
	Vector a;

	/* Each edge gives two entries; of its two elements, the one with the smaller number makes
	 * them. */
	Matrix(const std::vector<Triangle> &node, const std::vector<Triangle> &neighbor, int n)
		: ia(n + 1)
	{
		std::vector<std::vector<int>> rows(n);
		for (int i = 0; i < n; i++)
			rows[i].push_back(i);
		for (int e = 0; e < (int)node.size(); e++)
			for (int k = 0; k < 3; k++) {
				int from = node[e][k], to = node[e][(k + 1) % 3];
				if (neighbor[e][k] >= 0 && e > neighbor[e][k])
					continue;
				rows[from].push_back(to);
				rows[to].push_back(from);
			}
		for (int i = 0; i < n; i++) {
			std::sort(rows[i].begin(), rows[i].end());
			ja.insert(ja.end(), rows[i].begin(), rows[i].end());
			ia[i + 1] = (int)ja.size();
		}
		a.resize(ja.size());
	}
	double &operator()(int row, int column)
	{
		auto at = std::lower_bound(&ja[ia[row]], ja.data() + ia[row + 1], column);
		if (*at != column)
			throw std::out_of_range("no such entry");
		return a[at - ja.data()];
	}
	void multiply(const Vector &x, Vector &y) const
	{
		for (size_t i = 0; i < y.size(); i++) {
			double sum = 0;
			for (int k = ia[i]; k < ia[i + 1]; k++)
				sum += a[k] * x[ja[k]];
			y[i] = sum;
		}
	}
};

/* A triangle with its corners, and a rule with three points for each direction. */
class Element {
	static constexpr double gauss_x[] = { 0.1127016653792583, 0.5, 0.8872983346207417 };
	static constexpr double gauss_w[] = { 0.2777777777777778, 0.4444444444444444,
		0.2777777777777778 };

public:
	static constexpr int points = 9;
	const Triangle &node;
	std::array<Point, 3> corner;
	double area;

	Element(const Triangle &node, const std::vector<Point> &xy)
		: node(node), corner{ xy[node[0]], xy[node[1]], xy[node[2]] },
		  area(0.5 * ((corner[1].x - corner[0].x) * (corner[2].y - corner[0].y) -
			      (corner[2].x - corner[0].x) * (corner[1].y - corner[0].y)))
	{
	}
	double weight(int p, std::array<double, 3> &b) const
	{
		double u = gauss_x[p / 3], v = gauss_x[p % 3] * (1 - u);
		b = { 1 - u - v, u, v };
		return 2 * area * gauss_w[p / 3] * gauss_w[p % 3] * (1 - u);
	}
	Point slope(int k) const
	{
		const Point &i = corner[(k + 1) % 3], &j = corner[(k + 2) % 3];
		return { (i.y - j.y) / (2 * area), (j.x - i.x) / (2 * area) };
	}
};

static void assemble(const std::vector<Triangle> &element_node, const std::vector<Point> &node_xy,
		     Matrix &a)
{
	for (const Triangle &nodes : element_node) {
		Element t(nodes, node_xy);
		std::array<double, 3> b;
		for (int p = 0; p < Element::points; p++) {
			double w = t.weight(p, b);
			for (int row = 0; row < 3; row++)
				for (int column = 0; column < 3; column++) {
					Point test = t.slope(row), slope = t.slope(column);
					a(nodes[row], nodes[column]) +=
						w * (test.x * slope.x + test.y * slope.y);
				}
		}
	}
}

static void assemble(const std::vector<Triangle> &element_node, const std::vector<Point> &node_xy,
		     Vector &f)
{
	for (const Triangle &nodes : element_node) {
		Element t(nodes, node_xy);
		std::array<double, 3> b;
		for (int p = 0; p < Element::points; p++) {
			double w = t.weight(p, b);
			Point at{ 0, 0 };
			for (int k = 0; k < 3; k++) {
				at.x += b[k] * t.corner[k].x;
				at.y += b[k] * t.corner[k].y;
			}
			for (int k = 0; k < 3; k++)
				f[nodes[k]] += w * right_side(at) * b[k];
		}
	}
}

/* Rows of boundary nodes say: the solution there is known. */
static void boundary_apply(const std::vector<Point> &node_xy, const std::vector<char> &boundary,
			   Matrix &a, Vector &f)
{
	for (size_t i = 0; i < f.size(); i++)
		for (int k = a.ia[i]; k < a.ia[i + 1]; k++) {
			size_t j = a.ja[k];
			if (boundary[i]) {
				a.a[k] = i == j;
			} else if (boundary[j]) {
				f[i] -= a.a[k] * exact(node_xy[j]);
				a.a[k] = 0;
			}
		}
	for (size_t i = 0; i < f.size(); i++)
		if (boundary[i])
			f[i] = exact(node_xy[i]);
}

static double dot(const Vector &x, const Vector &y)
{
	return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

/* Conjugate gradients. */
static Vector solve(const Matrix &a, const Vector &f)
{
	Vector u(f.size()), r = f, p = f, q(f.size());
	double rr = dot(r, r), limit = 1e-20 * rr;
	for (size_t step = 0; rr > limit && step < 10 * f.size(); step++) {
		a.multiply(p, q);
		double alpha = rr / dot(p, q), old = rr;
		for (size_t i = 0; i < u.size(); i++) {
			u[i] += alpha * p[i];
			r[i] -= alpha * q[i];
		}
		rr = dot(r, r);
		for (size_t i = 0; i < u.size(); i++)
			p[i] = r[i] + rr / old * p[i];
	}
	return u;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? std::atoi(argv[1]) : 250;
	if (n < 3 || n > 5000) {
		std::fprintf(stderr, "usage: fem_poisson_cc [NODES]; 3 to 5000 along one side\n");
		return 2;
	}
	std::vector<Point> node_xy;
	std::vector<Triangle> element_node;
	for (int i = 0; i < n * n; i++)
		node_xy.push_back({ (double)(i % n) / (n - 1), (double)(i / n) / (n - 1) });
	for (int i = 0; i < n * (n - 1); i++)
		if (i % n < n - 1) {
			element_node.push_back({ i, i + 1, i + n });
			element_node.push_back({ i + n + 1, i + n, i + 1 });
		}
	auto element_neighbor = mesh_neighbors(element_node);
	auto node_boundary = mesh_boundary(element_node, node_xy.size());

	Matrix a(element_node, element_neighbor, n * n);
	assemble(element_node, node_xy, a);
	Vector f(node_xy.size());
	assemble(element_node, node_xy, f);
	boundary_apply(node_xy, node_boundary, a, f);

	Vector node_u = solve(a, f);
	double largest = 0;
	for (size_t i = 0; i < node_u.size(); i++)
		largest = std::max(largest, std::fabs(node_u[i] - exact(node_xy[i])));
	std::printf("%zu nodes, %zu elements, %zu nonzeros\nlargest error %.3e\n", node_xy.size(),
		    element_node.size(), a.ja.size(), largest);
	return 0;
}
