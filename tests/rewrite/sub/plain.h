#ifndef PLAIN_H
#define PLAIN_H
#include "once.h"
#include "values.h"
static inline int plain(int n) { return n + VALUE; }
#endif
