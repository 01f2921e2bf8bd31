/* list.h - --sis-list. */
#ifndef SISC_LIST_H
#define SISC_LIST_H

/* Prints the tables of code regions, metrics and overheads to stdout. */
void sis_list(void);

#endif
