#pragma once
#include <stdio.h>
#include "values.h"
static inline int once(int n)
{
	for (int i = 0; i < VALUE; i++)
		n += i;
	return n;
}
