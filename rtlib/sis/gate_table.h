/* SPDX-License-Identifier: BSD-3-Clause */
/* gate_table.h - the gates in an executable or a library, as its probes.o passes them to the
 * runtime. This file is never installed; sis/gate.h writes the entries.
 */
#ifndef SIS_GATE_TABLE_H
#define SIS_GATE_TABLE_H

#pragma GCC system_header /* as in sis/probe.h */

/* An entry of section sis_gates. The first three fields are distances from the field itself. */
struct sis_gate {
	int at;         /* distance to the instruction: five bytes within eight aligned bytes */
	int on;         /* distance to the target of its jump while the region is on */
	int region;     /* distance to the struct sis_region */
	unsigned state; /* set by the runtime: enum sis_gate_state. 0: on, as in the file */
};

/* Each executable or library that sisc linked has one such struct. The struct is in the memory of
 * the executable or library, so it is removed from the runtime's list before this is unmapped. */
struct sis_object {
	int added;              /* set by probes.o: sis_object_add was called */
	struct sis_gate *gate;  /* the entries of its gates; NULL: none */
	/* The size of these entries. The dynamic linker may treat this number as an address, and
	 * add the address of the object. */
	unsigned long bytes;
	struct sis_object *next;     /* from here on set by measure/patch/objects.c */
	struct sis_gate *end;
	const char *low, *high;      /* the addresses of the object */
	const char *text, *text_end; /* the segment with the gates */
	int protection;              /* its PROT_* bits; 0: nothing in it is patched */
};

#pragma GCC visibility push(default)
void sis_object_add(struct sis_object *object);
void sis_object_remove(struct sis_object *object);
#pragma GCC visibility pop

#endif
