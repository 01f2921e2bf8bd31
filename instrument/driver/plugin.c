/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin.c - loads plugins and calls them. Called by compile.c, once per translation unit.
 * The idea: a plugin is named by its file, and is checked before any of its functions is called. It
 * is linked with the library that sisc has loaded, so both work on one plan. */
#include "driver/plugin.h"
#include "plan/sis_plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct loaded {
	const struct sis_plugin *plugin;
	void *state;
};
static struct loaded *loaded;
static size_t loaded_count;

static void end_all(void)
{
	while (loaded_count > 0) {
		const struct loaded *last = &loaded[--loaded_count];
		if (last->plugin->end)
			last->plugin->end(last->state);
	}
	free(loaded);
	loaded = NULL;
}

static int failed_in(const struct sis_plugin *plugin, const char *reason, struct err *err)
{
	return err_fail(err, "plugin '%s' failed: %s", plugin->name,
			   reason[0] ? reason : "it does not say why");
}

/* The plugin in the file. The file is not searched in library paths. */
static const struct sis_plugin *find_plugin(const char *file, struct err *err)
{
	char *path = mem_print("%s%s", strchr(file, '/') ? "" : "./", file);
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const struct sis_plugin *plugin = handle ? dlsym(handle, "sis_plugin") : NULL;
	free(path);
	if (!handle)
		err_fail(err, "cannot load plugin '%s': %s", file, dlerror());
	else if (!plugin)
		err_fail(
			err,
			"'%s' is no plugin: it does not export 'sis_plugin'; see sis/sis_plugin.h",
			file);
	else if (plugin->abi != SIS_AST_ABI)
		err_fail(
			err,
			"plugin '%s' has ABI %#x, this sisc %#x; compile it again with the "
			"headers of this sisc",
			file, plugin->abi, SIS_AST_ABI);
	else
		return plugin;
	return NULL;
}

static int load_plugin(const char *name, struct err *err)
{
	char reason[512] = "";
	const char *comma = strchr(name, ',');
	char *file = mem_print("%.*s", (int)(comma ? (size_t)(comma - name) : strlen(name)), name);
	struct loaded one = { .plugin = find_plugin(file, err) };
	free(file);
	if (!one.plugin)
		return -1;
	if (one.plugin->start &&
	    one.plugin->start(comma ? comma + 1 : "", &one.state, reason, sizeof reason) != 0)
		return failed_in(one.plugin, reason, err);
	loaded = mem_resize(loaded, loaded_count + 1, sizeof *loaded);
	loaded[loaded_count++] = one;
	return 0;
}

int sis_plugins_tu(const struct words *names, struct sis_plan *plan, struct err *err)
{
	static bool began; /* whether the loading of plugins has begun */
	if (!began) {
		began = true;
		atexit(end_all);
		for (size_t i = 0; i < names->count; i++)
			if (load_plugin(names->at[i], err) < 0)
				return -1;
	}
	for (size_t i = 0; i < loaded_count; i++) {
		char reason[512] = "";
		const struct sis_plugin *plugin = loaded[i].plugin;
		if (plugin->unit && plugin->unit(loaded[i].state, plan, reason, sizeof reason) != 0)
			return failed_in(plugin, reason, err);
	}
	return 0;
}
