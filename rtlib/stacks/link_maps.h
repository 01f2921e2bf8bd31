/* SPDX-License-Identifier: BSD-3-Clause */
/* link_maps.h - the dynamic linker's list of modules, for those that do not ask it: a bare thread
 * (base/bare_thread.h), and a forked child (base/state.h). */
#ifndef SIS_LINK_MAPS_H
#define SIS_LINK_MAPS_H

#include <link.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Whether the list can be read here. */
bool sis__link_maps_are_readable(void);
/* Whether the list differs from that of the last sis__link_maps_each that succeeded. */
bool sis__link_maps_have_changed(void);
/* Calls `each` as dl_iterate_phdr does; of the information only the first four members are there.
 * False: the list changes right now, and not all modules were seen. */
bool sis__link_maps_each(int (*each)(struct dl_phdr_info *, size_t, void *));
void sis__link_maps_new_process(void);

#pragma GCC visibility pop
#endif
