/* SPDX-License-Identifier: BSD-3-Clause */
/* gate_table.h - the gates of the probes in an executable or a library, as its probes.o offers them
 * to the runtime. Never installed; sis/probe.h writes the entries.
 */
#ifndef SIS_GATE_TABLE_H
#define SIS_GATE_TABLE_H

#pragma GCC system_header /* as sis/probe.h */

/* An entry of section sis_gates. The first three are distances from the field itself. */
struct sis_gate {
	int at;         /* of the instruction, five bytes within eight that are aligned */
	int on;         /* of where it jumps to while its region is on */
	int region;     /* of its struct sis_region */
	unsigned state; /* the runtime's: enum sis_gate_state. 0: as in the file, on */
};

/* One for each executable or library that sisc linked. Its memory is that object's own, so it is
 * taken out of the runtime's list before the object is unmapped. */
struct sis_object {
	int added;              /* probes.o's: it has called sis_object_add */
	struct sis_gate *gate;  /* NULL: none */
	/* of its gates; the linker takes this number for an address, and adds that of the object */
	unsigned long bytes;
	struct sis_object *next;     /* these are the runtime's (patch/objects.c) */
	struct sis_gate *end;
	const char *low, *high;      /* the addresses of the object */
	const char *text, *text_end; /* the segment with the gates */
	int protection;              /* of that segment, PROT_*; 0: nothing in it is patched */
};

#pragma GCC visibility push(default)
/* Weak: an older runtime does not have them. */
__attribute__((__weak__)) void sis_object_add(struct sis_object *object);
__attribute__((__weak__)) void sis_object_remove(struct sis_object *object);
#pragma GCC visibility pop

#endif
