#ifndef VALUE
#define VALUE 4
#endif
