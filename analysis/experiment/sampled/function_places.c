// SPDX-License-Identifier: BSD-3-Clause
/* function_places.c - see function_places.h. Called by one thread. */
#include "experiment/sampled/function_places.h"

#include <string.h>

void function_places_add(struct function_places *places, uint32_t group, const uint32_t *function,
			 size_t n)
{
	bool is_new;
	uint32_t number = map_put(&places->by_function, group, function[n - 1], places->place.n,
				  &is_new);
	if (is_new)
		vec_push(&places->place);
	struct function_place *place = &places->place.at[number];
	for (size_t i = 0; is_new && i < n; i++)
		*vec_push(&place->function) = function[i];
	place->several |= place->function.n != n ||
		memcmp(place->function.at, function, n * sizeof *function) != 0;
}

const struct function_place *function_places_only(const struct function_places *places,
						  uint32_t group, uint32_t function)
{
	uint32_t number = map_get(&places->by_function, group, function);
	return number == MAP_NONE || places->place.at[number].several ? NULL :
		&places->place.at[number];
}

void function_places_release(struct function_places *places)
{
	for (size_t i = 0; i < places->place.n; i++)
		vec_free(&places->place.at[i].function);
	vec_free(&places->place);
	map_free(&places->by_function);
}
