/* SPDX-License-Identifier: BSD-3-Clause */
/* link_maps.h - the dynamic linker's list of modules, for threads that cannot call the dynamic
 * linker: bare threads (base/bare_thread.h), and the threads of a forked child (base/state.h). */
#ifndef SIS_LINK_MAPS_H
#define SIS_LINK_MAPS_H

#include <link.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Whether this process can read the list. */
bool sis__link_maps_are_readable(void);
/* Whether the list differs from that of the last sis__link_maps_each that succeeded. */
bool sis__link_maps_have_changed(void);
/* Calls `each` as dl_iterate_phdr does; only the first four members of dl_phdr_info are set.
 * Returns false if the list is just being changed, so that not all modules were seen. */
bool sis__link_maps_each(int (*each)(struct dl_phdr_info *, size_t, void *));
void sis__link_maps_new_process(void);

#pragma GCC visibility pop
#endif
