/* SPDX-License-Identifier: BSD-3-Clause */
/* module_list.h - the program and the libraries that are loaded, for readers of PCs. */
#ifndef SIS_MODULE_LIST_H
#define SIS_MODULE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Notes in the file of samples what was loaded and unloaded since the last call. Cheap if nothing
 * was. One thread at a time. */
void sis__modules_look(void);
/* Whether the address is in a module whose path contains one of the names. One thread at a time. */
bool sis__modules_have(const void *address, const char *const *name, size_t names);
void sis__modules_new_process(void);

#pragma GCC visibility pop
#endif
