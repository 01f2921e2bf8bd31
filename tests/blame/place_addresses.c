// SPDX-License-Identifier: BSD-3-Clause
/* place_addresses - what the analyzer finds at addresses of a program, as text.
 *
 *      place_addresses PROGRAM [DEBUG_FOLDER] <addresses
 *
 * An address is hexadecimal; with a `c` before it, it is a return address. Prints for each
 *      address reason symbol callee
 * and, indented, its sites. For tests/blame/truth.sh, and to look at a problem. */
#include <stdio.h>
#include <stdlib.h>

#include "experiment/code/code_places.h"

static const char *shown(const char *text)
{
	return text ? text : "-";
}

int main(int argc, char **argv)
{
	VEC(struct code_address) address = { 0 };
	struct code_module module = { .path = argv[1], .debug_folder = argc > 2 ? argv[2] : NULL };
	struct code_places places;
	struct err err = { "" };
	char line[64];
	if (argc < 2)
		return fputs("usage: place_addresses PROGRAM [DEBUG_FOLDER] <addresses\n",
			     stderr), 2;
	while (fgets(line, sizeof line, stdin)) {
		bool call = line[0] == 'c' && line[1] == ' ';
		*vec_push(&address) = (struct code_address){
			strtoull(line + 2 * call, NULL, 16), call,
		};
	}
	if (code_places_find(&places, &module,
			     &(struct code_questions){ .address = address.at,
						       .addresses = address.n }, &err))
		return fprintf(stderr, "place_addresses: error: %s\n", err.text), 1;
	for (size_t i = 0; i < address.n; i++) {
		const struct code_place *place = &places.place.at[i];
		printf("%llx %s %s %s\n", (unsigned long long)address.at[i].at,
		       placed_reason_key(place->reason), shown(place->symbol),
		       shown(place->callee));
		for (uint32_t k = place->first; k < place->first + place->count; k++) {
			const struct code_site *site = &places.site.at[k];
			printf("    %s %s:%u:%u%s unit %s in %s\n", shown(site->function),
			       shown(site->file), site->line, site->column,
			       site->prologue ? " prologue" : "", shown(site->unit),
			       shown(site->directory));
		}
	}
	code_places_release(&places);
	vec_free(&address);
	return 0;
}
