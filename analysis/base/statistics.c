/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.c - pure functions, which any thread may call. Student's distribution is computed from
 * the continued fraction of the incomplete beta function (Lentz's method). The result has more
 * correct digits than any measured time. */
#include "base/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"

double statistics_mean(const double *x, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

double statistics_variation(const double *x, size_t n)
{
	double mean = statistics_mean(x, n), sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum;
}

static double variance(const double *x, size_t n)
{
	return n > 1 ? statistics_variation(x, n) / (double)(n - 1) : NAN;
}

/* Replaces zero by a tiny number, as Lentz's method does in denominators. */
static double not_zero(double x)
{
	return fabs(x) < 1e-300 ? 1e-300 : x;
}

static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), f = d;
	for (int i = 1; i < 500; i++) {
		double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
		double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		f *= c * d;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		f *= c * d;
		if (fabs(c * d - 1) < 1e-14)
			break;
	}
	return f;
}

/* The regularized incomplete beta function. */
static double beta(double a, double b, double x)
{
	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a :
					   1 - front * beta_fraction(b, a, 1 - x) / b;
}

double statistics_same(const double *a, size_t n_a, const double *b, size_t n_b)
{
	if (n_a < 1 || n_b < 1 || n_a + n_b < 3)
		return NAN;
	double v_a = n_a > 1 ? variance(a, n_a) : variance(b, n_b),
	       v_b = n_b > 1 ? variance(b, n_b) : v_a;
	double s_a = v_a / (double)n_a, s_b = v_b / (double)n_b, s = s_a + s_b;
	double difference = statistics_mean(a, n_a) - statistics_mean(b, n_b);
	if (s == 0)
		return difference == 0 ? 1 : 0;
	double freedom = n_a < 2 || n_b < 2 ? (double)(n_a + n_b - 2) :
		s * s / (s_a * s_a / (double)(n_a - 1) + s_b * s_b / (double)(n_b - 1));
	double t2 = difference * difference / s;
	return beta(freedom / 2, 0.5, freedom / (freedom + t2));
}

struct ranked { double p, weight; size_t index; };

static int by_p(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;
	double x = a->p / a->weight, y = b->p / b->weight;
	return ORDER(x, y) ?: ORDER(a->index, b->index);
}

/* Holm's method: the allowed probability of an error is divided, in proportion to their weights,
 * among the tests whose hypotheses are not rejected yet. */
void statistics_adjust(double *p, const double *weight, size_t n)
{
	struct ranked *rank = mem_alloc(n + 1, sizeof *rank);
	size_t tests = 0;
	double largest = 0, *rest = mem_alloc(n + 1, sizeof *rest);
	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]) && weight[i] > 0)
			rank[tests++] = (struct ranked){ p[i], weight[i], i };
	qsort(rank, tests, sizeof *rank, by_p);
	for (size_t i = tests; i-- > 0;)
		rest[i] = rest[i + 1] + rank[i].weight;
	for (size_t i = 0; i < tests; i++) {
		double adjusted = rank[i].p * rest[i] / rank[i].weight;
		largest = adjusted > largest ? adjusted : largest;
		p[rank[i].index] = largest < 1 ? largest : 1;
	}
	free(rest);
	free(rank);
}

/* -- one series -------------------------------------------------------------------------------- */

static int by_value(const void *va, const void *vb)
{
	const double *a = va, *b = vb;
	return ORDER(*a, *b);
}

/* Interpolates between the values of two ranks. */
static double quantile(const double *sorted, size_t n, double part)
{
	double rank = part * (double)(n - 1);
	size_t below = (size_t)rank, above = below + 1 < n ? below + 1 : below;
	return sorted[below] + (rank - (double)below) * (sorted[above] - sorted[below]);
}

double statistics_student(double freedom)
{
	double low = 1, high = 1e6; /* the largest result is 12.7, with one degree of freedom */
	for (int i = 0; i < 200; i++) {
		double t = (low + high) / 2;
		bool outside = beta(freedom / 2, 0.5, freedom / (freedom + t * t)) < 0.05;
		*(outside ? &high : &low) = t;
	}
	return (low + high) / 2;
}

void statistics_series(struct series *series, double *x, size_t n)
{
	*series = (struct series){ n, NAN, NAN, NAN, NAN, NAN, NAN };
	if (n == 0)
		return;
	qsort(x, n, sizeof *x, by_value);
	series->median = quantile(x, n, 0.5);
	series->lower_quartile = quantile(x, n, 0.25);
	series->upper_quartile = quantile(x, n, 0.75);
	series->mean = statistics_mean(x, n);
	if (n < 2)
		return;
	double error = sqrt(variance(x, n) / (double)n);
	double half = statistics_student((double)(n - 1)) * error;
	series->low = series->mean - half;
	series->high = series->mean + half;
}

/* -- lines ------------------------------------------------------------------------------------- */

struct line statistics_line(const double *x, const double *y, size_t n)
{
	double xx = 0, xy = 0, yy = 0;
	double mean_x = statistics_mean(x, n), mean_y = statistics_mean(y, n);
	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mean_x) * (x[i] - mean_x);
		xy += (x[i] - mean_x) * (y[i] - mean_y);
		yy += (y[i] - mean_y) * (y[i] - mean_y);
	}
	if (n < 2 || xx == 0)
		return (struct line){ NAN, NAN, NAN };
	double slope = xy / xx;
	return (struct line){ mean_y - slope * mean_x, slope, yy > 0 ? xy * xy / xx / yy : 1 };
}
