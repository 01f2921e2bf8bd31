/* flags: -fopenmp --sis-cr=CR_F,CR_L,CR_S,CR_MPI,CR_OMP,CR_IF */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <mpi.h>
#define CHECK(call) do { int e_ = (call); if (e_ != MPI_SUCCESS) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #call); } while (0)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LOG(...) log_line(__FILE__, __LINE__, __VA_ARGS__)
#define TRACED(f) (puts(#f), f)
#define NEG -neg(1)
#define puts puts
#define neg(x) (neg)(x)
#define UNIQUE (next() + __COUNTER__ * 0)
#define BARRIER _Pragma("omp barrier")
#define EACH(i, n) _Pragma("omp parallel for reduction(+:sum)") for (int i = 0; i < n; i++)
#define SPIN(n) _Pragma("GCC ivdep") for (int k_ = 0; k_ < n; k_++) step()
static int steps;
static int (neg)(int n) { return -n; }
static int next(void) { return 5; }
static void step(void) { steps++; }
static int log_line(const char *file, int line, const char *format, ...)
{
	va_list list;
	int n;
	va_start(list, format);
	printf("%s:%d ", strrchr(file, '/') ? strrchr(file, '/') + 1 : file, line);
	n = vprintf(format, list);
	va_end(list);
	return n;
}
int main(int argc, char **argv)
{
	int rank, sum = 0;
	atomic_int counter = 0;
	CHECK(MPI_Init(&argc, &argv));
	CHECK(MPI_Comm_rank(MPI_COMM_WORLD,
			    &rank));
	printf("%d %d\n", MAX(next(), strlen("abc") > 2), __LINE__);
	LOG("%d %d\n", next(),
	    __LINE__);
	printf("%d\n", -NEG);
	TRACED(step)();
	printf("%d %d\n", UNIQUE, __COUNTER__);
	EACH(i, 4) {
		sum += next();
	}
#pragma omp parallel
	{
		BARRIER
		BARRIER;
	}
	SPIN(3);
	atomic_fetch_add(&counter, next());
	errno = 0;
	printf("%d %d %d %d\n", sum, steps, (int)counter, errno);
	CHECK(MPI_Finalize());
	return 0;
}
