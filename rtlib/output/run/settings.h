/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - reads the SIS_* variables into sis__config. */
#ifndef SIS_SETTINGS_H
#define SIS_SETTINGS_H

#pragma GCC visibility push(hidden)

void sis__config_read(void);
void sis__config_note(void); /* writes the settings in force as text */
/* Warns of misspelt variables, in one process of a run. Called after the run is identified. */
void sis__config_check_names(void);

#pragma GCC visibility pop
#endif
