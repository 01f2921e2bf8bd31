/* surroundings.c MODE - a program that does to its process what daemons, shells and servers do,
 * between calls of work(). Prints how often all its processes together called work(). Ends with
 * status 77 if something that it needs fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static struct counts { int work; } *counts; /* shared by all processes */
enum { NOBODY = 65534 };

static int work(int n)
{
	__atomic_fetch_add(&counts->work, 1, __ATOMIC_RELAXED);
	return n + 1;
}

static int tree(int depth);
static int left(int depth) { return tree(depth); }
static int right(int depth) { return tree(depth); }

static int tree(int depth)
{
	return depth ? left(depth - 1) + right(depth - 1) : work(depth);
}

/* Thousands of nodes: the profile grows, whatever the process may still do. */
static void grow(void)
{
	tree(10);
}

static void must(int good, const char *what)
{
	if (!good) {
		perror(what);
		_exit(77);
	}
}

static void end_child(pid_t child, int wanted)
{
	int status = -1;
	must(child > 0 && waitpid(child, &status, 0) == child, "waitpid");
	must(WIFEXITED(status) && WEXITSTATUS(status) == wanted, "child");
}

/* -- descriptors and limits -------------------------------------------------------------------- */

static void close_all(void)
{
	for (int i = 0; i < 5; i++) {
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
		tree(6 + i);
	}
	closefrom(3);
	grow();
}

static void no_descriptors(void)
{
	struct rlimit none = { 3, 3 };
	must(setrlimit(RLIMIT_NOFILE, &none) == 0, "setrlimit");
	grow();
}

/* Enough to make a few nodes without more room in the file: for that it would have to be opened. */
static void all_descriptors(void)
{
	while (open("/dev/null", O_RDONLY) >= 0)
		;
	tree(6);
}

static void small_files(void)
{
	struct rlimit small = { 4096, RLIM_INFINITY };
	must(setrlimit(RLIMIT_FSIZE, &small) == 0, "setrlimit");
	grow();
	small.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &small);
}

/* The stack has grown before: it could not any more. */
static __attribute__((noinline)) void use_stack(void)
{
	char bytes[4 << 20];
	memset(bytes, 1, sizeof bytes);
	__asm__ volatile("" : : "r"(bytes) : "memory");
}

static void no_addresses(void)
{
	long pages = 0;
	use_stack();
	FILE *file = fopen("/proc/self/statm", "r");
	must(file && fscanf(file, "%ld", &pages) == 1 && fclose(file) == 0, "statm");
	struct rlimit now = { (rlim_t)pages * 4096, RLIM_INFINITY };
	must(setrlimit(RLIMIT_AS, &now) == 0, "setrlimit");
	grow();
}

/* The program can still allocate 300 of the 512 MB that the limit allows, because the measurement
 * takes little of them. */
static void limited_addresses(void)
{
	enum { MOST = 512 << 20, SOME = 300 << 20 };
	struct rlimit limit = { MOST, RLIM_INFINITY };
	must(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");
	char *bytes = malloc(SOME);
	must(bytes != NULL, "malloc");
	bytes[SOME - 1] = 1;
	grow();
	free(bytes);
}

static void limited_data(void)
{
	struct rlimit limit = { 64 << 10, RLIM_INFINITY };
	must(setrlimit(RLIMIT_DATA, &limit) == 0, "setrlimit");
	grow();
}

/* -- rights and places ------------------------------------------------------------------------- */

static void drop_rights(void)
{
	must(setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0, "setuid");
	grow();
}

static void drop_for_a_while(void)
{
	must(seteuid(NOBODY) == 0, "seteuid");
	grow();
	must(seteuid(0) == 0, "seteuid");
	work(1);
}

static void lock_up(void)
{
	must(mkdir("jail", 0755) == 0 && chroot("jail") == 0 && chdir("/") == 0, "chroot");
	grow();
}

static void lock_up_and_close(void)
{
	must(mkdir("jail", 0755) == 0 && chroot("jail") == 0 && chdir("/") == 0, "chroot");
	closefrom(3);
	tree(6);
}

/* -- processes --------------------------------------------------------------------------------- */

static void become_daemon(void)
{
	pid_t child = fork();
	if (child == 0) {
		must(daemon(0, 0) == 0, "daemon");
		grow();
		exit(0);
	}
	end_child(child, 0);
}

static void fork_twice(void)
{
	pid_t child = fork();
	if (child == 0) {
		pid_t grandchild = fork();
		if (grandchild == 0) {
			work(1);
			grow();
			exit(4);
		}
		end_child(grandchild, 4);
		work(2);
		exit(3);
	}
	end_child(child, 3);
	work(3);
}

static void fork_by_itself(void)
{
	pid_t child = _Fork();
	if (child == 0) {
		work(1);
		grow();
		exit(3);
	}
	work(2);
	end_child(child, 3);
}

static void fork_in_team(void)
{
#pragma omp parallel num_threads(3)
	{
		work(1);
#pragma omp critical
		{
			pid_t child = fork();
			if (child == 0) {
				work(2);
				grow();
				_exit(5);
			}
			end_child(child, 5);
		}
#pragma omp barrier
		work(3);
	}
}

static void spawn_all(char *self)
{
	char command[4096], line[64] = "";
	char *arguments[] = { self, "quiet", NULL };
	pid_t child;
	must(posix_spawn(&child, self, NULL, NULL, arguments, environ) == 0, "posix_spawn");
	end_child(child, 0);
	child = vfork();
	if (child == 0) {
		execv(self, arguments);
		_exit(1);
	}
	end_child(child, 0);
	snprintf(command, sizeof command, "'%s' quiet", self);
	must(system(command) == 0, "system");
	snprintf(command, sizeof command, "'%s' print", self);
	FILE *pipe = popen(command, "r");
	must(pipe && fgets(line, sizeof line, pipe) && strcmp(line, "printed\n") == 0 &&
		     pclose(pipe) == 0,
	     "popen");
	work(1);
}

/* -- signals ----------------------------------------------------------------------------------- */

static sigjmp_buf back;

static void jump_back(int number)
{
	work(number);
	siglongjmp(back, 1);
}

static int touch(volatile int *place)
{
	work(1);
	return *place;
}

/* A handler on a stack of its own that leaves by a jump, over regions that it interrupted. */
static void survive_faults(void)
{
	static char stack[64 << 10];
	stack_t own = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction action = { .sa_handler = jump_back, .sa_flags = SA_ONSTACK };
	must(sigaltstack(&own, NULL) == 0 && sigaction(SIGSEGV, &action, NULL) == 0, "sigaction");
	for (volatile int i = 0; i < 100; i++)
		if (sigsetjmp(back, 1) == 0)
			touch(NULL);
	grow();
}

static int handled;

static void handle(int number)
{
	handled += number != 0;
	tree(1);
}

static void be_interrupted(void)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 60 || handled < 50; i++) {
		tree(i % 11);
#pragma omp parallel num_threads(3)
		{
			work(1);
#pragma omp barrier
			work(2);
		}
	}
	often.it_value.tv_usec = 0;
	setitimer(ITIMER_REAL, &often, NULL);
}

/* -- threads ----------------------------------------------------------------------------------- */

static void *small_thread(void *unused)
{
	tree(4);
	return unused;
}

static void small_stacks(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	must(pthread_attr_setstacksize(&attributes, 16384) == 0, "stack");
	for (int i = 0; i < 4; i++) {
		must(pthread_create(&thread, &attributes, small_thread, NULL) == 0,
		     "pthread_create");
		pthread_join(thread, NULL);
	}
}

static int over;

static void *run_plugin(void *name)
{
	while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
		void *library = dlopen(name, RTLD_NOW);
		int (*plugged)(int) = library ? (int (*)(int))dlsym(library, "plugged") : NULL;
		must(plugged && plugged(3) == 6, "dlopen");
		dlclose(library);
	}
	return name;
}

static void open_and_close(char *name)
{
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		must(pthread_create(&thread[i], NULL, run_plugin, name) == 0, "pthread_create");
	for (int i = 0; i < 200; i++)
		grow();
	__atomic_store_n(&over, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

/* ---------------------------------------------------------------------------------------------- */

static void run(const char *mode, char **argv)
{
	static const struct { const char *mode; void (*run)(void);
	} modes[] = {
		{ "closed", close_all },      { "nofile", no_descriptors },
		{ "fsize", small_files },     { "as", no_addresses },
		{ "full", all_descriptors },  { "room", limited_addresses },
		{ "data", limited_data },     { "jail", lock_up_and_close },
		{ "setuid", drop_rights },    { "seteuid", drop_for_a_while },
		{ "chroot", lock_up },	      { "grow", grow },
		{ "daemon", become_daemon },  { "fork", fork_twice },
		{ "_Fork", fork_by_itself },  { "team", fork_in_team },
		{ "faults", survive_faults }, { "alarms", be_interrupted },
		{ "stacks", small_stacks },
	};
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (strcmp(modes[i].mode, mode) == 0)
			return modes[i].run();
	if (strcmp(mode, "spawn") == 0)
		return spawn_all(argv[0]);
	if (strcmp(mode, "dlopen") == 0)
		return open_and_close(argv[2]);
	must(0, mode);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "grow";
	if (strcmp(mode, "print") == 0)
		puts("printed");
	if (strcmp(mode, "print") == 0 || strcmp(mode, "quiet") == 0)
		return 0;
	counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	must(counts != MAP_FAILED, "mmap");
	run(mode, argv);
	if (strcmp(mode, "daemon") == 0) /* it goes on when its parents are gone */
		while (__atomic_load_n(&counts->work, __ATOMIC_RELAXED) < 1024)
			usleep(1000);
	dprintf(STDOUT_FILENO, "%d\n", counts->work);
	return 0;
}
