/* SPDX-License-Identifier: BSD-3-Clause */
/* registers.c - functions with values of all kinds in registers across the probes. Prints sums that
 * no probe may change. */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>

typedef double wide __attribute__((vector_size(64)));
typedef int ints __attribute__((vector_size(32)));
struct two { long a, b; };

static __attribute__((noinline)) long general(long a, long b, long c, long d, long e, long f,
					      long g, long h)
{
	long sum = 0;
	for (long i = 0; i < 9; i++) {
		a += b ^ i, b += c * 3, c ^= d + i, d += e, e += f * 5, f ^= g, g += h, h += a;
		if ((a + i) % 3 == 0)
			sum += b - c;
		else if ((b + i) % 2 == 0)
			sum ^= d + e;
		else
			sum += f * g;
	}
	return sum + a + b + c + d + e + f + g + h;
}

static __attribute__((noinline)) double floating(double a, double b, double c, double d, double e,
						 double f, double g, double h)
{
	double sum = 0;
	for (int i = 0; i < 7; i++) {
		a += b / 3, b -= c, c += d * 0.5, d -= e, e += f / 7, f += g, g -= h, h += a / 9;
		if (i % 2)
			sum += a * b + c;
		else
			sum -= d * e - f;
	}
	return sum + a + b + c + d + e + f + g + h;
}

static __attribute__((noinline)) float complex folded(float complex z, double complex w)
{
	for (int i = 0; i < 3; i++)
		z = z * 0.5f + (float complex)w;
	return z;
}

static __attribute__((noinline)) long double extended(long double a, long double b, long double c)
{
	long double sum = 0;
	for (int i = 0; i < 5; i++) {
		a += b / 3, b -= c * 0.25L, c += a;
		sum += a * b - c;
	}
	return sum;
}

static __attribute__((noinline)) long double complex folded_far(long double complex z)
{
	for (int i = 0; i < 3; i++)
		z = z * z * 0.25L + 1;
	return z;
}

/* Has long doubles in registers from block to block. */
static __attribute__((noinline)) int digits(double number, int count)
{
	long double value = number, rounder = 0.5;
	if (value < 0.0)
		value = -value;
	for (int i = 3; i > 0; i--, rounder *= 0.1L)
		;
	while (value >= 10.0L * (count > 2 ? 1e3L : 1.0L) && count < 50)
		value *= 0.1, count++;
	if (value + rounder > 5)
		return count;
	return count + 1;
}

static __attribute__((noinline)) struct two pair(long a, long b)
{
	struct two result = { a - b, a * b };
	if (result.a > 3)
		result.b++;
	return result;
}

static __attribute__((noinline)) __int128 product(long a, long b)
{
	__int128 result = (__int128)a * b;
	if (a > b)
		result += 7;
	return result;
}

static __attribute__((noinline)) void vectors(wide *a, wide *b, ints *c)
{
	wide x = *a, y = *b;
	ints z = *c;
	for (int i = 0; i < 6; i++) {
		x = x * 0.5 + y;
		y = x - y;
		z = z * 3 + (z > i);
		if (i % 2)
			x += 1;
	}
	*a = x, *b = y, *c = z;
}

static double variable(int count, ...)
{
	va_list list;
	double sum = 0;
	va_start(list, count);
	for (int i = 0; i < count; i++)
		sum += i % 2 ? va_arg(list, int) : va_arg(list, double);
	va_end(list);
	return sum;
}

/* Its variables are below the stack pointer. */
static __attribute__((noinline)) int below(int a)
{
	volatile int local[20];
	for (int i = 0; i < 20; i++)
		local[i] = a + i;
	int sum = 0;
	for (int i = 0; i < 20; i++)
		sum = sum * 3 + local[i];
	return sum;
}

static __attribute__((noinline)) int deep(int depth, int a, int b, int c)
{
	if (depth == 0)
		return a;
	int inner = deep(depth - 1, b + 1, c, a ^ depth);
	return inner * 3 + a + b * c;
}

static __attribute__((noinline)) double deep_real(int depth, double a, long double b)
{
	if (depth == 0)
		return a;
	double inner = deep_real(depth - 1, a / 3 + depth, b * 0.5L + 1);
	return inner * 0.5 + a + (double)b;
}

/* Calls functions in another order each time. */
static __attribute__((noinline)) double mixed(unsigned random, double a, long double b)
{
	double sum = a;
	for (int i = 0; i < 40; i++) {
		random = random * 1664525u + 1013904223u;
		switch (random >> 30) {
		case 0:
			sum += floating(sum, 2, 3, 4, 5, 6, 7, 8) / 1000;
			break;
		case 1:
			sum += (double)extended(b, 2, 3) / 1000;
			break;
		case 2:
			sum -= below(i) % 100;
			break;
		default:
			sum = sum * 0.5 + a;
		}
		b = b * 0.5L + a;
	}
	return sum + (double)b;
}

/* Masks and wide registers, whatever the rest of the file may use. */
#ifdef WIDE
__attribute__((target("avx512f,avx512vl")))
#endif
static __attribute__((noinline)) double masked(const double *from, int count)
{
	double sum = 0;
	for (int i = 0; i < count; i++)
		if (from[i] > 3)
			sum += from[i] * from[i];
	return sum;
}

static __attribute__((noinline)) int chained(int a)
{
#ifdef __clang__
	int sum = a * 2;
	for (int i = 0; i < 4; i++)
		sum += a + i;
	return sum;
#else
	int sum = a * 2;
	__attribute__((noinline)) void add(int i) { sum += a + i; }
	for (int i = 0; i < 4; i++)
		add(i);
	return sum;
#endif
}

int main(void)
{
	wide a = { 1, 2, 3, 4, 5, 6, 7, 8 }, b = { 8, 7, 6, 5, 4, 3, 2, 1 };
	ints c = { 1, 2, 3, 4, 5, 6, 7, 8 };
	double from[100], real = 0;
	long sum = 0;
	for (int i = 0; i < 100; i++)
		from[i] = i % 11;
	for (long i = 0; i < 200; i++) {
		sum += general(i, 2, 3, i + 4, 5, 6, 7 - i, 8);
		real += floating((double)i, 2, 3, 4, 5, 6, 7, 8);
		real += crealf(folded(i + 2 * I, 3 - I));
		real += (double)extended(i, 2, 3);
		real += (double)cimagl(folded_far(0.5L + I));
		struct two two = pair(i, 100);
		sum += two.a + two.b + digits(12345.0 * (double)i, 0);
		sum += (long)(product(i << 40, 12345678901) >> 30);
		vectors(&a, &b, &c);
		real += variable(4, (double)i, 2, 3.5, 4);
		sum += below((int)i) + chained((int)i);
		real += masked(from, 100);
		real += mixed((unsigned)i, (double)i, i * 0.25L);
	}
	for (int i = 0; i < 4; i++) {
		sum += deep(300, i, 2, 3);
		real += deep_real(300, i, 0.5L);
	}
	printf("%ld %.17g %.17g %.17g %d\n", sum, real, a[1], b[7], c[3]);
	return 0;
}
