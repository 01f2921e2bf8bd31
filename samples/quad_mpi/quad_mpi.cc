/* SPDX-License-Identifier: BSD-3-Clause */
/* quad_mpi.cc - the program of quad_mpi.c in C++: the same steps and variables of main, with
 * streams, containers and exceptions.
 *
 *      mpiexec -n 4 quad_mpi_cc [INPUT]     without INPUT: 4 dimensions, 30 points in each */
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <mpi.h>
#include <sstream>
#include <stdexcept>
#include <vector>

enum { TAG_NUMBER = 1, TAG_WEIGHTS, TAG_POINTS };
static constexpr int dimensions_most = 8, order_most = 64, peaks = 24;

struct Input {
	int dim_num = 0, order = 0;
	double centre[dimensions_most] = {};

	/* A file of numbers: dimensions, order, and then any number of values for the centre, which
	 * are taken in turn; the last ones count. */
	void read(std::istream &file)
	{
		double value;
		if (!(file >> dim_num >> order))
			throw std::runtime_error("the input begins with dimensions and order");
		for (int i = 0; file >> value; i++)
			centre[i % dimensions_most] = value;
		if (dim_num < 1 || dim_num > dimensions_most || order < 1 || order > order_most)
			throw std::out_of_range("1 to 8 dimensions, an order of 1 to 64");
	}
};

/* Without a file the input is text that this program has made itself. */
static std::unique_ptr<std::istream> input_open(const char *name)
{
	if (name)
		return std::make_unique<std::ifstream>(name);
	auto text = std::make_unique<std::stringstream>();
	*text << "4 30\n" << std::setprecision(17);
	for (int i = 0; i < 1500000; i++)
		*text << 0.5 + 0.25 * (i % 7) / 7.0 << '\n';
	return text;
}

/* A rule for the interval from 0 to 1, and its product over several dimensions. */
class Rule {
	std::vector<double> x, w;
	int dim_num;

public:
	/* Gauss-Legendre, by Newton's method. */
	Rule(int dim_num, int order) : x(order), w(order), dim_num(dim_num)
	{
		for (int i = 0; i < order; i++) {
			double root = std::cos(M_PI * (i + 0.75) / (order + 0.5)), slope = 1;
			for (int step = 0; step < 20; step++) {
				double p = 1, before = 0;
				for (int k = 0; k < order; k++) {
					double next = ((2 * k + 1) * root * p - k * before) /
						      (k + 1);
					before = p;
					p = next;
				}
				slope = order * (root * p - before) / (root * root - 1);
				root -= p / slope;
			}
			x[i] = (1 - root) / 2;
			w[i] = 1 / ((1 - root * root) * slope * slope);
		}
	}
	int size() const { return (int)std::lround(std::pow(x.size(), dim_num)); }
	void points(int first, int count, std::vector<double> &to_x,
		    std::vector<double> &to_w) const
	{
		to_x.clear();
		to_w.assign(count, 1);
		for (int i = 0; i < count; i++)
			for (int d = 0, rest = first + i; d < dim_num; d++, rest /= (int)x.size()) {
				to_x.push_back(x[rest % x.size()]);
				to_w[i] *= w[rest % w.size()];
			}
	}
};

/* The sum of several peaks of three widths. */
static double integrand(int dim_num, const double *x, const double *centre)
{
	double value = 0;
	for (int peak = 0; peak < peaks; peak++) {
		double sum = 0;
		for (int d = 0; d < dim_num; d++)
			sum += std::pow(x[d] - centre[(peak + d) % dimensions_most], 2);
		value += std::exp(-sum * (1 + peak / dimensions_most));
	}
	return value;
}

int main(int argc, char **argv)
try {
	int task_num, task, point_num_proc = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &task_num);
	MPI_Comm_rank(MPI_COMM_WORLD, &task);

	Input input;
	if (task == 0)
		input.read(*input_open(argc > 1 ? argv[1] : nullptr));
	int dim_num = input.dim_num, order = input.order;
	MPI_Bcast(&dim_num, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(&order, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(input.centre, dimensions_most, MPI_DOUBLE, 0, MPI_COMM_WORLD);

	Rule rule(dim_num, order);
	std::vector<double> x_proc, w_proc;
	if (task == 0) {
		for (int task_proc = task_num - 1; task_proc >= 0; task_proc--) {
			int first = (int)((long)rule.size() * task_proc / task_num);
			int next = (int)((long)rule.size() * (task_proc + 1) / task_num);
			point_num_proc = next - first;
			rule.points(first, point_num_proc, x_proc, w_proc);
			if (task_proc == 0)
				break;
			MPI_Send(&point_num_proc, 1, MPI_INT, task_proc, TAG_NUMBER,
				 MPI_COMM_WORLD);
			MPI_Send(w_proc.data(), point_num_proc, MPI_DOUBLE, task_proc, TAG_WEIGHTS,
				 MPI_COMM_WORLD);
			MPI_Send(x_proc.data(), point_num_proc * dim_num, MPI_DOUBLE, task_proc,
				 TAG_POINTS, MPI_COMM_WORLD);
		}
	} else {
		MPI_Recv(&point_num_proc, 1, MPI_INT, 0, TAG_NUMBER, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		w_proc.resize(point_num_proc);
		x_proc.resize((size_t)point_num_proc * dim_num);
		MPI_Recv(w_proc.data(), point_num_proc, MPI_DOUBLE, 0, TAG_WEIGHTS, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		MPI_Recv(x_proc.data(), point_num_proc * dim_num, MPI_DOUBLE, 0, TAG_POINTS,
			 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}

	double quad_proc = 0, quad = 0;
	for (int i = 0; i < point_num_proc; i++)
		quad_proc += w_proc[i] * integrand(dim_num, &x_proc[i * dim_num], input.centre);
	MPI_Reduce(&quad_proc, &quad, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (task == 0)
		std::cout << dim_num << " dimensions, " << rule.size() << " points: integral "
			  << std::setprecision(12) << quad << '\n';
	MPI_Finalize();
	return 0;
} catch (const std::exception &reason) {
	std::cerr << "quad_mpi_cc: " << reason.what() << '\n';
	MPI_Abort(MPI_COMM_WORLD, 1);
}
