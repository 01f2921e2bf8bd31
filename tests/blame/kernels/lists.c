/* SPDX-License-Identifier: BSD-3-Clause */
/* A linked list has the name of its head.
 * expect: list 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

struct node { double value; struct node *next; };

static ALONE void push(struct node **head, double value)
{
	struct node *node = malloc(sizeof *node);
	if (!node)
		exit(1);
	node->value = value;
	node->next = *head;
	*head = node;
}

int main(int argc, char **argv)
{
	struct node *list = NULL;
	double b[1];
	kernel_begin(argc, argv);
	for (int i = 0; i < 3; i++)
		push(&list, mix(i, unit));
	b[0] = mix(2, unit);
	printf("%g %g\n", list->next->value, b[0]);
	return 0;
}
