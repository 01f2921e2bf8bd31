/* SPDX-License-Identifier: BSD-3-Clause */
/* module_list.h - the list of modules (the program and the loaded libraries), by which the analyzer
 * finds the function of a PC. */
#ifndef SIS_MODULE_LIST_H
#define SIS_MODULE_LIST_H

#pragma GCC visibility push(hidden)

/* Notes in the file of samples which modules were loaded and unloaded since the last call. The call
 * is fast if there are none. Only one thread at a time may call it. */
void sis__modules_look(void);
void sis__modules_new_process(void);

#pragma GCC visibility pop
#endif
