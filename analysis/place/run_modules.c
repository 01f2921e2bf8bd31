// SPDX-License-Identifier: BSD-3-Clause
/* run_modules.c - owns the addresses that were sampled, by module. place.c calls it. */
#include "place/run_modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Two modules with one name are one file. */
static char *name_of(const struct stacks_module *module, size_t id_length)
{
	struct buf name = { 0 };
	for (size_t i = 0; i < id_length; i++)
		buf_print(&name, "%02x", module->head.id[i]);
	if (!id_length)
		buf_print(&name, "%llu %llu", (unsigned long long)module->head.file_bytes,
			  (unsigned long long)module->head.file_mtime_ns);
	buf_print(&name, " %s", module->path);
	return buf_take(&name);
}

static size_t id_length_of(const struct stacks_module *module)
{
	size_t most = sizeof module->head.id;
	return module->head.id_length < most ? module->head.id_length : most;
}

static uint32_t number_of(struct run_modules *m, const struct stacks_module *module)
{
	bool is_new;
	size_t id_length = id_length_of(module);
	char *name = name_of(module, id_length);
	uint32_t number = strmap_put(&m->by_name, name, m->module.n, &is_new);
	free(name);
	if (!is_new)
		return number;
	struct run_module *new = vec_push(&m->module);
	new->path = mem_string(module->path);
	new->id_length = id_length;
	memcpy(new->id, module->head.id, id_length);
	new->file_bytes = module->head.file_bytes;
	new->file_mtime_ns = module->head.file_mtime_ns;
	return number;
}

/* The kernel's code in each process. */
static bool is_kernel(const struct stacks_module *module)
{
	return strncmp(module->path, "[v", 2) == 0;
}

static struct run_address no_address(enum placed_reason reason)
{
	return (struct run_address){ NONE, NONE, reason };
}

/* Where the PC is; notes its address. `number`: of the process's modules. */
static struct run_address take_pc(struct run_modules *m, const struct stacks *stacks,
				  const uint32_t *number, uint64_t pc)
{
	bool sure, is_new;
	uint64_t at = pc & ~SIS_PC_EXACT;
	const struct stacks_module *found = stacks_module_at(stacks, at, &sure);
	if (!found)
		return no_address(PLACED_ANONYMOUS);
	if (is_kernel(found))
		return no_address(PLACED_KERNEL);
	if (!sure)
		return no_address(PLACED_REUSED);
	uint32_t id = number[found - stacks->module.at];
	struct run_module *module = &m->module.at[id];
	struct code_address address = { at - found->head.bias, !(pc & SIS_PC_EXACT) };
	uint32_t place = map_put(&module->by_address, address.at, address.after_call,
				 module->address.n, &is_new);
	if (is_new)
		*vec_push(&module->address) = address;
	return (struct run_address){ id, place, PLACED_OK };
}

void run_modules_add(struct run_modules *m, const struct stacks *stacks)
{
	uint32_t *number = mem_alloc(stacks->module.n, sizeof *number);
	struct run_address *at = mem_alloc(stacks->pc.n, sizeof *at);
	for (size_t i = 0; i < stacks->module.n; i++)
		number[i] = number_of(m, &stacks->module.at[i]);
	for (size_t i = 0; i < stacks->pc.n; i++)
		at[i] = take_pc(m, stacks, number, stacks->pc.at[i]);
	*vec_push(&m->process) = at;
	free(number);
}

int run_modules_find(struct run_modules *m, struct err *err)
{
	for (size_t i = 0; i < m->module.n; i++) {
		struct run_module *module = &m->module.at[i];
		if (!module->address.n)
			continue;
		struct code_module file = {
			.path = module->path,
			.build_id = module->id,
			.build_id_bytes = module->id_length,
			.size = module->file_bytes,
			.mtime_ns = module->file_mtime_ns,
		};
		if (code_places_find(&module->places, &file, module->address.at,
				     module->address.n, err))
			return ERR_FAILED;
	}
	return 0;
}

void run_modules_release(struct run_modules *m)
{
	for (size_t i = 0; i < m->module.n; i++) {
		struct run_module *module = &m->module.at[i];
		free(module->path);
		vec_free(&module->address);
		map_free(&module->by_address);
		code_places_release(&module->places);
	}
	for (size_t i = 0; i < m->process.n; i++)
		free(m->process.at[i]);
	vec_free(&m->process);
	vec_free(&m->module);
	strmap_free(&m->by_name);
}
