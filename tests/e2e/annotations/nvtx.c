/* nvtx.c - ranges of NVTX: nested, of domains and categories, in threads, unbalanced. */
#include "nvtx_client.h"

#include <stdio.h>

enum { THREADS = 4 };
static uint64_t process_range;

static void *work(void *unused)
{
	(void)unused;
	for (int i = 0; i < 100; i++) {
		push("step");
		for (int k = 0; k < 3; k++) {
			push("part");
			pop();
		}
		pop();
	}
	end(process_range); /* another thread started it */
	return NULL;
}

static void domains(void)
{
	void *solver = domain_create("solver"), *io = domain_create("io");
	void *known = domain_register(solver, "registered");
	domain_name_category(solver, 7, "krylov");
	name_category(7, "seven");
	domain_push(solver, NVTX_ATTRIBUTES(.message_type = 1, .message.ascii = "plain"));
	domain_push(solver, NVTX_ATTRIBUTES(.message_type = 2, .message.unicode = L"\u00e4\u20ac"));
	domain_pop(solver);
	domain_pop(solver);
	for (int i = 0; i < 5; i++) {
		domain_push(solver,
			    NVTX_ATTRIBUTES(.message_type = 3, .message.registered = known));
		domain_pop(solver);
	}
	domain_push(solver, NVTX_ATTRIBUTES(7, .message_type = 1, .message.ascii = "dot"));
	domain_pop(solver);
	push_ex(NVTX_ATTRIBUTES(7, .message_type = 1, .message.ascii = "dot"));
	pop();
	push_ex(NVTX_ATTRIBUTES(8, .message_type = 1, .message.ascii = "no category 8"));
	pop();
	/* domains overlap: the second one goes on when the first one ends */
	domain_push(solver, NVTX_ATTRIBUTES(.message_type = 1, .message.ascii = "first"));
	domain_push(io, NVTX_ATTRIBUTES(.message_type = 1, .message.ascii = "second"));
	domain_pop(solver);
	push("inside second");
	pop();
	domain_pop(io);
	domain_destroy(io);
	domain_destroy(solver);
}

static void unbalanced(void)
{
	pop();
	pop();
	push("not ended");
	push("ended");
	pop();
	domain_pop(NULL); /* ends "not ended" */
	pop();
	for (int i = 0; i < 1000; i++)
		push("deep");
	for (int i = 0; i < 1000; i++)
		pop();
	push("to the end");
}

int main(void)
{
	pthread_t thread[THREADS];
	int level = push("main part");
	process_range = start("whole");
	domain_start(NULL, NVTX_ATTRIBUTES(.message_type = 1, .message.ascii = "whole"));
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	domains();
	int last = pop();
	unbalanced();
	printf("%d %d\n", level, last);
	return 3;
}
