/* Prints flags of the floating-point environment and its rounding mode after each step. With the
 * argument `traps` every exception ends the program, with `up` it rounds upward. */
#define _GNU_SOURCE
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <sis/sis.h>

static volatile long sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void say(const char *step)
{
	printf("%s %x %x\n", step, fetestexcept(FE_ALL_EXCEPT), fegetround());
	fflush(stdout);
}

__attribute__((noinline)) static void leaf(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}

__attribute__((noinline)) static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL);
}

static void *thread(void *step)
{
	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&mutex);
		leaf(1000);
		pthread_mutex_unlock(&mutex);
	}
	pthread_mutex_lock(&mutex);
	pause_ms(20); /* the others wait */
	say(step);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void run_threads(void)
{
	pthread_t thread_of[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&thread_of[i], NULL, thread, "thread");
	for (int i = 0; i < 3; i++)
		pthread_join(thread_of[i], NULL);
}

/* Each thread adds its flags to `seen`. */
static void run_team(int *seen)
{
#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 200; i++)
			leaf(1000);
#pragma omp critical
		pause_ms(5);
#pragma omp single
		for (int i = 0; i < 100; i++) {
#pragma omp task
			leaf(100);
		}
#pragma omp sections
		{
#pragma omp section
			pause_ms(10);
#pragma omp section
			leaf(100);
		}
#pragma omp for ordered
		for (int i = 0; i < 6; i++) {
#pragma omp ordered
			leaf(10);
		}
#pragma omp atomic
		*seen |= fetestexcept(FE_ALL_EXCEPT);
	}
}

static void use_files(void)
{
	static char buffer[1 << 20];
	int end[2];
	FILE *file = tmpfile();
	for (int i = 0; i < 8; i++)
		fwrite(buffer, sizeof buffer, 1, file);
	fclose(file);
	if (pipe(end) != 0)
		exit(2);
	for (int i = 0; i < 100; i++)
		if (write(end[1], buffer, 4096) != 4096 || read(end[0], buffer, 4096) != 4096)
			exit(2);
	free(malloc(1 << 22));
}

/* The values are integers, so that the program itself loses no digits. */
static void hand_values(void)
{
	for (long i = 0; i < 200; i++) {
		SIS_VALUE(small, i);
		SIS_VALUE(large, (1l << 52) + i);
	}
}

static void in_child(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 20000; i++)
			leaf(10);
		say("child");
		exit(0);
	}
	waitpid(pid, NULL, 0);
}

#ifdef WITH_MPI
static void use_mpi(void)
{
	int rank, done = 0;
	char message = 0;
	MPI_Request request;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	feclearexcept(FE_ALL_EXCEPT); /* flags of the MPI library itself */
	if (rank == 0) {
		pause_ms(30);
		MPI_Send(&message, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(&message, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
		for (long polls = 0; !done; polls++) {
			MPI_Test(&request, &done, MPI_STATUS_IGNORE);
			if (polls % 64 == 0)
				pause_ms(1);
		}
	}
	for (int i = 0; i < 100; i++)
		MPI_Sendrecv_replace(&message, 1, MPI_CHAR, !rank, 0, !rank, 0, MPI_COMM_WORLD,
				     MPI_STATUS_IGNORE);
	for (int i = 0; i < 100; i++)
		MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1)
		say("messages");
}
#endif

static void at_end(void) { say("end"); }

int main(int count, char **argument)
{
	const char *mode = count > 1 ? argument[1] : "";
	int seen = 0;
	say("main");
#ifdef WITH_MPI
	MPI_Init(NULL, NULL);
#endif
	atexit(at_end);
	feclearexcept(FE_ALL_EXCEPT);
	if (strcmp(mode, "traps") == 0)
		feenableexcept(FE_ALL_EXCEPT);
	if (strcmp(mode, "up") == 0)
		fesetround(FE_UPWARD);
	leaf(10);
	say("leaf");
	for (int i = 0; i < 1000000; i++)
		leaf(10);
	pause_ms(200); /* the sampler looks */
	for (int i = 0; i < 1000000; i++)
		leaf(10);
	say("leaves");
	run_threads();
	say("threads");
	run_team(&seen);
	printf("team %x\n", seen);
	use_files();
	say("files");
	hand_values();
	say("values");
#ifdef WITH_MPI
	use_mpi();
	fedisableexcept(FE_ALL_EXCEPT);
	MPI_Finalize();
	feclearexcept(FE_ALL_EXCEPT);
#else
	in_child();
	say("parent");
#endif
	return 0;
}
