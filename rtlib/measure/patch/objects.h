/* SPDX-License-Identifier: BSD-3-Clause */
/* objects.h - the executable and the libraries whose gates are known. */
#ifndef SIS_OBJECTS_H
#define SIS_OBJECTS_H

#include "base/lock.h"
#include "base/runtime.h"
#include "sis/gate_table.h"

#pragma GCC visibility push(hidden)

/* Guards the list, the states of gates, and all changes of text. */
extern struct sis_lock sis__objects_lock;
extern struct sis_object *sis__objects;

/* Adds an object. With SIS_ENABLE=0 all its gates are turned off. */
void sis__object_add(struct sis_object *object);
void sis__object_remove(struct sis_object *object);
/* The object that contains the address; NULL: no known object does. The caller holds the lock. */
struct sis_object *sis__object_of(const void *address);

#pragma GCC visibility pop
#endif
