/* omp.c - what OpenMP and the locks of pthreads cost: nanoseconds an operation, `KEY VALUE` lines,
 * CPU time of one thread without contention.
 *
 * The program is built plain and with sisc, which instruments main alone. The difference is the
 * cost of the wrappers. With `omp paused`, SIS_PAUSE is in force while the operations run. The
 * operations take turns. Each figure is the least of many repetitions, because other programs can
 * only add time.
 */
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* GCC makes these calls of an atomic construct without an instruction of the processor, and of an
 * ordered one. Any compiler may build this file: clang has other ones. */
extern void GOMP_atomic_start(void), GOMP_atomic_end(void);
extern void GOMP_ordered_start(void), GOMP_ordered_end(void);
extern void sis_hand_pause(void) __attribute__((__weak__));

static omp_lock_t omp_lock;
static omp_nest_lock_t nest_lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static volatile long counter;

#define OPERATION(name, ...) \
	static void name##_loop(long n) \
	{ \
		for (; n > 0; n--) { \
			__VA_ARGS__ \
		} \
	}
OPERATION(lock, omp_set_lock(&omp_lock); counter++; omp_unset_lock(&omp_lock);)
OPERATION(nest_lock, omp_set_nest_lock(&nest_lock); counter++; omp_unset_nest_lock(&nest_lock);)
OPERATION(critical, _Pragma("omp critical") counter++;)
OPERATION(critical_name, _Pragma("omp critical(here)") counter++;)
OPERATION(atomic, GOMP_atomic_start(); counter++; GOMP_atomic_end();)
OPERATION(ordered, GOMP_ordered_start(); counter++; GOMP_ordered_end();)
OPERATION(barrier, _Pragma("omp barrier"))
OPERATION(parallel, _Pragma("omp parallel num_threads(1)") counter++;)
OPERATION(mutex, pthread_mutex_lock(&mutex); counter++; pthread_mutex_unlock(&mutex);)
OPERATION(rwlock, pthread_rwlock_rdlock(&rwlock); counter++; pthread_rwlock_unlock(&rwlock);)
OPERATION(spin, pthread_spin_lock(&spin); counter++; pthread_spin_unlock(&spin);)
OPERATION(semaphore, sem_post(&semaphore); sem_wait(&semaphore);)
OPERATION(signal, pthread_cond_signal(&condition); counter++;)

/* in a team of one thread */
static void team_loop(void (*loop)(long), long n)
{
#pragma omp parallel num_threads(1)
	loop(n);
}
static void barrier_in_team_loop(long n) { team_loop(barrier_loop, n); }

static const struct { const char *key; void (*loop)(long); } operations[] = {
	{ "lock", lock_loop },
	{ "nest_lock", nest_lock_loop },
	{ "critical", critical_loop },
	{ "critical_name", critical_name_loop },
	{ "atomic", atomic_loop },
	{ "ordered", ordered_loop },
	{ "barrier", barrier_loop },
	{ "barrier_in_team", barrier_in_team_loop },
	{ "parallel", parallel_loop },
	{ "mutex", mutex_loop },
	{ "rwlock", rwlock_loop },
	{ "spin", spin_loop },
	{ "semaphore", semaphore_loop },
	{ "signal", signal_loop },
};
enum { OPERATIONS = sizeof operations / sizeof operations[0], REPETITIONS = 41 };

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	enum { TIMES = 20000 };
	double least[OPERATIONS];
	omp_init_lock(&omp_lock);
	omp_init_nest_lock(&nest_lock);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	sem_init(&semaphore, 0, 0);
	if (argc > 1 && strcmp(argv[1], "paused") == 0 && sis_hand_pause)
		sis_hand_pause();
	for (int r = 0; r < REPETITIONS; r++)
		for (int i = 0; i < OPERATIONS; i++) {
			double start = now_ns();
			operations[i].loop(TIMES);
			double ns = (now_ns() - start) / TIMES;
			least[i] = r == 0 || ns < least[i] ? ns : least[i];
		}
	for (int i = 0; i < OPERATIONS; i++)
		printf("%s %.2f\n", operations[i].key, least[i]);
	return 0;
}
