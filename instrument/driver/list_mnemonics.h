/* SPDX-License-Identifier: BSD-3-Clause */
/* list_mnemonics.h - the option --sis-list. */
#ifndef SISC_LIST_MNEMONICS_H
#define SISC_LIST_MNEMONICS_H

/* Prints the tables of code regions, metrics and overheads to stdout. */
void sis_list_mnemonics(void);

#endif
