// SPDX-License-Identifier: BSD-3-Clause
/* run_modules.c - owns the sampled and accessed addresses of each module. place_run.c calls it. */
#include "experiment/code/run_modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

char *run_module_identity(const struct run_module *m)
{
	struct buf text = { 0 };
	for (size_t i = 0; i < m->id_length; i++)
		buf_print(&text, "%02x", m->id[i]);
	if (!m->id_length)
		buf_print(&text, "%llu %llu", (unsigned long long)m->file_bytes,
			  (unsigned long long)m->file_mtime_ns);
	return buf_take(&text);
}

/* The number of a module. Modules with the same identity and path are one file. */
static uint32_t number_of(struct run_modules *m, const struct stacks_module *module)
{
	bool is_new;
	size_t most = sizeof module->head.id;
	struct run_module this = {
		.id_length = module->head.id_length < most ? module->head.id_length : most,
		.file_bytes = module->head.file_bytes,
		.file_mtime_ns = module->head.file_mtime_ns,
	};
	memcpy(this.id, module->head.id, this.id_length);
	char *identity = run_module_identity(&this),
	     *name = mem_print("%s %s", identity, module->path);
	uint32_t number = strmap_put(&m->by_name, name, m->module.n, &is_new);
	if (is_new) {
		this.path = mem_string(module->path);
		*vec_push(&m->module) = this;
	}
	free(identity);
	free(name);
	return number;
}

static struct run_address no_address(enum placed_reason reason)
{
	return (struct run_address){ NONE, NONE, reason };
}

/* Finds the place of a PC in a function that the program generated. All such functions are in a
 * module of their own, whose places are known at once. A place has only a name. */
static struct run_address take_generated(struct run_modules *m, const struct stacks *stacks,
					 uint64_t at)
{
	const struct stacks_generated *found = stacks_generated_at(stacks, at);
	bool is_new;
	if (!found || !stacks->module.n) /* the program must be the first module */
		return no_address(PLACED_ANONYMOUS);
	if (!m->generated) {
		m->generated = (uint32_t)m->module.n;
		*vec_push(&m->module) = (struct run_module){
			.path = mem_string(RUN_MODULE_GENERATED) };
	}
	struct run_module *module = &m->module.at[m->generated];
	uint32_t index = map_put(&module->by_address, (uint64_t)(found - stacks->generated.at),
				 m->process.n, module->address.n, &is_new);
	if (is_new) {
		*vec_push(&module->address) = (struct code_address){ .at = found->start };
		*vec_push(&module->places.place) = (struct code_place){
			.reason = PLACED_ANONYMOUS, .symbol = found->name };
	}
	return (struct run_address){ m->generated, index, PLACED_OK };
}

/* Whether the module is the kernel's code in each process: [vdso], [vsyscall]. */
static bool is_kernel(const struct stacks_module *module)
{
	return strncmp(module->path, "[v", 2) == 0;
}

/* Finds the module of a PC, and notes its address there. `number` has the numbers of the process's
 * modules. */
static struct run_address take_pc(struct run_modules *m, const struct stacks *stacks,
				  const uint32_t *number, uint64_t pc)
{
	bool sure, is_new;
	uint64_t at = pc & ~SIS_PC_EXACT;
	const struct stacks_module *found = stacks_module_at(stacks, at, &sure);
	if (!found)
		return take_generated(m, stacks, at - !(pc & SIS_PC_EXACT));
	if (is_kernel(found))
		return no_address(PLACED_KERNEL);
	if (!sure)
		return no_address(PLACED_REUSED);
	uint32_t id = number[found - stacks->module.at];
	struct run_module *module = &m->module.at[id];
	struct code_address address = { at - found->head.bias, !(pc & SIS_PC_EXACT) };
	uint32_t index = map_put(&module->by_address, address.at, address.after_call,
				 module->address.n, &is_new);
	if (is_new)
		*vec_push(&module->address) = address;
	return (struct run_address){ id, index, PLACED_OK };
}

/* -- modules and addresses of data ------------------------------------------------------------- */

/* All addresses in programs are far below this one. */
#define MOST_ADDRESS ((uint64_t)1 << 58)

static struct run_address take_data(struct run_modules *m, uint32_t id,
				    const struct code_data *data)
{
	struct run_module *module = &m->module.at[id];
	bool is_new;
	if (data->at >= MOST_ADDRESS)
		return (struct run_address){ id, NONE, PLACED_OK };
	uint64_t key = (uint64_t)data->kind << 60 | data->at << 1 | data->after_call;
	uint32_t number = map_put(&module->by_data, key, (uint64_t)data->offset,
				  (uint32_t)module->data.n, &is_new);
	if (is_new)
		*vec_push(&module->data) = *data;
	return (struct run_address){ id, number, PLACED_OK };
}

/* The address at which the module begins: where address 0 of its file is or, if the program is not
 * moved (bias 0), where the first byte of its file is. */
static uint64_t begin_of(const struct sis_stacks_module *m)
{
	uint64_t begin = m->bias ? m->bias : m->start - m->offset;
	return begin <= m->start ? begin : m->start;
}

/* The module that has the data at this address. The stacks file has only segments with code. But
 * modules do not overlap, so the data belongs to the last module that begins at or before the
 * address. */
static const struct stacks_module *module_of_data(const struct stacks *stacks, uint64_t address)
{
	const struct stacks_module *found = NULL;
	for (size_t i = 0; i < stacks->module.n; i++) {
		const struct stacks_module *module = &stacks->module.at[i];
		if (begin_of(&module->head) <= address &&
		    (!found || begin_of(&module->head) > begin_of(&found->head)))
			found = module;
	}
	return found && !is_kernel(found) ? found : NULL;
}

static struct run_address take_static(struct run_modules *m, const struct stacks *stacks,
				      const uint32_t *number, const struct sis_access *access)
{
	const struct stacks_module *found = module_of_data(stacks, access->place);
	if (!found)
		return no_address(PLACED_ANONYMOUS);
	uint32_t id = number[found - stacks->module.at];
	if (access->flags & SIS_ACCESS_COARSE)
		return (struct run_address){ id, NONE, PLACED_OK };
	return take_data(m, id, &(struct code_data){ .kind = CODE_STATIC,
						     .at = access->place - found->head.bias });
}

static struct run_address take_frame(struct run_modules *m, const struct stacks *stacks,
				     const uint32_t *number, const struct sis_access *access)
{
	bool sure;
	uint64_t pc = access->place & ~SIS_PC_EXACT;
	const struct stacks_module *found = stacks_module_at(stacks, pc, &sure);
	if (!found || !sure)
		return no_address(PLACED_ANONYMOUS);
	uint32_t id = number[found - stacks->module.at];
	if (is_kernel(found))
		return (struct run_address){ id, NONE, PLACED_KERNEL };
	bool coarse = access->flags & SIS_ACCESS_COARSE;
	return take_data(m, id,
			 &(struct code_data){ .kind = CODE_FRAME, .at = pc - found->head.bias,
					      .after_call = !(access->place & SIS_PC_EXACT),
					      .offset = coarse ? CODE_SOMEWHERE : access->offset });
}

/* Thread-local data is looked up in module 0, because the runtime reports the program's own file
 * first. */
static struct run_address take_access(struct run_modules *m, const struct stacks *stacks,
				      const uint32_t *number, const struct sis_access *access)
{
	switch (access->kind) {
	case SIS_ACCESS_STATIC:
		return take_static(m, stacks, number, access);
	case SIS_ACCESS_STACK:
		return take_frame(m, stacks, number, access);
	case SIS_ACCESS_THREAD_LOCAL:
		if (stacks->module.n && !(access->flags & SIS_ACCESS_COARSE))
			return take_data(m, number[0],
					 &(struct code_data){ .kind = CODE_THREAD_LOCAL,
							      .offset = access->offset });
		return no_address(PLACED_OK);
	default:
		return no_address(PLACED_OK);
	}
}

static struct run_call take_call(struct run_modules *m, const struct stacks *stacks,
				 const uint32_t *number, const struct profile_call *call)
{
	return (struct run_call){
		.from = take_pc(m, stacks, number, call->address),
		.body = call->body ? take_pc(m, stacks, number, call->body | SIS_PC_EXACT) :
			no_address(PLACED_OK),
	};
}

/* -- adding and finding all addresses ---------------------------------------------------------- */

void run_modules_add(struct run_modules *m, const struct stacks *stacks,
		     const struct profile *profile)
{
	size_t calls = profile ? profile->call.n : 0;
	uint32_t *number = mem_alloc(stacks->module.n, sizeof *number);
	struct run_address *at = mem_alloc(stacks->pc.n, sizeof *at);
	struct run_address *access = mem_alloc(stacks->access.n, sizeof *access);
	struct run_call *call = mem_alloc(calls, sizeof *call);
	for (size_t i = 0; i < stacks->module.n; i++)
		number[i] = number_of(m, &stacks->module.at[i]);
	for (size_t i = 0; i < stacks->pc.n; i++)
		at[i] = take_pc(m, stacks, number, stacks->pc.at[i]);
	for (size_t i = 0; i < stacks->access.n; i++)
		access[i] = take_access(m, stacks, number, &stacks->access.at[i].in);
	for (size_t i = 0; i < calls; i++)
		call[i] = take_call(m, stacks, number, &profile->call.at[i]);
	*vec_push(&m->process) = at;
	*vec_push(&m->access) = access;
	*vec_push(&m->call) = call;
	free(number);
}

int run_modules_find(struct run_modules *m, struct err *err)
{
	for (size_t i = 0; i < m->module.n; i++) {
		struct run_module *module = &m->module.at[i];
		if ((!module->address.n && !module->data.n) || (i && i == m->generated))
			continue;
		struct code_module file = {
			.path = module->path,
			.build_id = module->id,
			.build_id_bytes = module->id_length,
			.size = module->file_bytes,
			.mtime_ns = module->file_mtime_ns,
		};
		struct code_questions questions = {
			module->address.at, module->address.n, module->data.at, module->data.n,
		};
		if (code_places_find(&module->places, &file, &questions, err))
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
		vec_free(&module->data);
		map_free(&module->by_data);
		code_places_release(&module->places);
	}
	for (size_t i = 0; i < m->process.n; i++) {
		free(m->process.at[i]);
		free(m->access.at[i]);
		free(m->call.at[i]);
	}
	vec_free(&m->process);
	vec_free(&m->access);
	vec_free(&m->call);
	vec_free(&m->module);
	strmap_free(&m->by_name);
}
