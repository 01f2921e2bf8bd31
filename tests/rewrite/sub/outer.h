#ifndef OUTER_H
#define OUTER_H
#include "once.h"
#include "plain.h"
static inline int outer(int n)
{
	while (n > 2)
		n--;
	return n + once(n) + (sizeof __FILE__ > 2);
}
#endif
