/* top_terminal.c - runs a program at a pseudo-terminal of its own, types keys and sends signals.
 *
 *     top_terminal ROWS COLUMNS SHOWN PROGRAM ARGUMENT...
 *
 * The file SHOWN gets all that the program writes. Commands are lines of standard input:
 *
 *     wait TEXT      until the terminal has shown the text since the last key, signal or size
 *     key KEYS       types them; \e is Escape, \r Enter, \t Tab, \f Ctrl-L, \z Ctrl-Z
 *     signal N       sends the signal to the program
 *     stop           stops the program by SIGTSTP
 *     size R C       changes the size of the terminal
 *     end            waits for the end of the program, and prints `status N` or `signal N`, and
 *                    whether the settings of the terminal are those of before: `terminal same`
 *
 * A command that fails, or takes longer than 30 seconds, ends the program and is printed. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

enum { PATIENCE_MS = 30000, STEP_MS = 50, AGAIN_MS = 500 };

static int master, reports; /* reports: from the leader, states of the program */
static pid_t leader, child;
static int status;
static FILE *shown;
static char *text; /* shown since the last key */
static size_t length;

static void fail(const char *line, const char *why)
{
	printf("failed: %s: %s\n", line, why);
	kill(child, SIGKILL);
	kill(leader, SIGKILL);
	exit(1);
}

static void forget(void)
{
	length = 0;
}

/* Takes what the program has written. False: it has closed the terminal. */
static int take(void)
{
	char bytes[65536];
	struct pollfd in = { .fd = master, .events = POLLIN };
	if (poll(&in, 1, STEP_MS) <= 0)
		return 1;
	ssize_t n = read(master, bytes, sizeof bytes);
	if (n <= 0)
		return 0;
	fwrite(bytes, 1, (size_t)n, shown);
	fflush(shown);
	text = realloc(text, length + (size_t)n + 1);
	memcpy(text + length, bytes, (size_t)n);
	length += (size_t)n;
	text[length] = 0;
	return 1;
}

static void wait_for(const char *line, const char *word)
{
	for (int ms = 0; ms < PATIENCE_MS; ms += STEP_MS) {
		if (length && memmem(text, length, word, strlen(word)))
			return;
		if (!take())
			break;
	}
	fail(line, "not shown");
}

static void type(const char *keys)
{
	for (; *keys; keys++) {
		char key = *keys;
		if (key == '\\' && keys[1]) {
			key = *++keys;
			key = key == 'e' ? 27 : key == 'r' ? '\r' : key == 't' ? '\t' :
				key == 'f' ? '\f' : key == 'z' ? 26 : key;
		}
		if (write(master, &key, 1) != 1)
			fail(keys, strerror(errno));
	}
	forget();
}

static void resize(const char *line)
{
	struct winsize size = { 0 };
	if (sscanf(line, "size %hu %hu", &size.ws_row, &size.ws_col) != 2 ||
	    ioctl(master, TIOCSWINSZ, &size) != 0)
		fail(line, "no size");
	forget();
}

/* The next state of the program as wait() gives it. False: it has not changed. */
static int state_changes(void)
{
	struct pollfd in = { .fd = reports, .events = POLLIN };
	return poll(&in, 1, 0) > 0 && read(reports, &status, sizeof status) == sizeof status;
}

/* ncurses ignores SIGTSTP while it draws, so the signal is sent until the program stops. */
static void stop(const char *line)
{
	forget();
	for (int ms = 0; ms < PATIENCE_MS; ms += STEP_MS) {
		if (ms % AGAIN_MS == 0)
			kill(child, SIGTSTP);
		take();
		if (state_changes()) {
			if (!WIFSTOPPED(status))
				fail(line, "it has ended");
			return;
		}
	}
	fail(line, "it does not stop");
}

static void wait_end(const char *line, const struct termios *before)
{
	struct termios after;
	int ms = 0;
	for (; !state_changes() || WIFSTOPPED(status); ms += STEP_MS) {
		if (!take())
			usleep(STEP_MS * 1000);
		if (ms > PATIENCE_MS)
			fail(line, "it does not end");
	}
	while (length < 1u << 24 && take()) {
		struct pollfd in = { .fd = master, .events = POLLIN };
		if (poll(&in, 1, STEP_MS) <= 0)
			break;
	}
	if (WIFEXITED(status))
		printf("status %d\n", WEXITSTATUS(status));
	else
		printf("signal %d\n", WTERMSIG(status));
	printf("terminal %s\n", tcgetattr(master, &after) == 0 &&
		       after.c_lflag == before->c_lflag && after.c_iflag == before->c_iflag &&
		       after.c_oflag == before->c_oflag ? "same" : "changed");
}

/* Leads the session, as a shell does: a program that has no such parent cannot be stopped. */
static void lead(int slave, char **words, int report)
{
	close(master);
	login_tty(slave);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	pid_t program = fork();
	if (program == 0) {
		setpgid(0, 0);
		tcsetpgrp(0, getpid());
		signal(SIGTTOU, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		close(report);
		execvp(words[0], words);
		_exit(127);
	}
	write(report, &program, sizeof program);
	for (int state; waitpid(program, &state, WUNTRACED) == program;) {
		write(report, &state, sizeof state);
		if (!WIFSTOPPED(state))
			break;
	}
	pause(); /* the terminal stays until it has been read */
}

static void start(int slave, char **words)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		exit(2);
	reports = ends[0];
	leader = fork();
	if (leader == 0)
		lead(slave, words, ends[1]);
	close(ends[1]);
	if (read(reports, &child, sizeof child) != sizeof child)
		exit(2);
}

int main(int argc, char **argv)
{
	struct winsize size = { 0 };
	struct termios before;
	char line[1024];
	int slave;
	if (argc < 5)
		return 2;
	size.ws_row = (unsigned short)atoi(argv[1]);
	size.ws_col = (unsigned short)atoi(argv[2]);
	shown = fopen(argv[3], "w");
	if (!shown || openpty(&master, &slave, NULL, NULL, &size) != 0)
		return 2;
	tcgetattr(master, &before);
	start(slave, argv + 4);
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (strncmp(line, "wait ", 5) == 0)
			wait_for(line, line + 5);
		else if (strncmp(line, "key ", 4) == 0)
			type(line + 4);
		else if (strncmp(line, "signal ", 7) == 0)
			forget(), kill(child, atoi(line + 7));
		else if (strcmp(line, "stop") == 0)
			stop(line);
		else if (strncmp(line, "size ", 5) == 0)
			resize(line);
		else if (strcmp(line, "end") == 0)
			wait_end(line, &before);
		else
			fail(line, "no such command");
		fflush(stdout);
	}
	kill(leader, SIGKILL);
	return 0;
}
