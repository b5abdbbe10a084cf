/* SPDX-License-Identifier: Apache-2.0 */
/* What a variable can be: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"

#include <stdlib.h>

#include "harness/base/memory.h"

/* What is in a or in b. */
static void join(struct claw_asking *asking, const struct claw_range *a,
		 const struct claw_range *b, struct claw_range *ret)
{
	if (a->is_known && b->is_known)
		claw_range_set(ret, a->lo < b->lo ? a->lo : b->lo,
			       a->hi > b->hi ? a->hi : b->hi);
	else
		claw_range_both_ends(asking, "min", "max", a, b, ret);
}

/* One that is set to some values, each of which can be told. */
static bool range_of_set(struct claw_asking *asking,
			 const struct claw_variable *variable,
			 struct claw_range *ret)
{
	struct claw_range all = { .is_known = false }, one, both;

	if (variable->is_parameter || variable->address_taken ||
	    variable->change_count == 0 || variable->change_count > 4)
		return false;
	for (size_t i = 0; i < variable->change_count; i++) {
		struct claw_node *value = variable->changes[i].value;

		if (!value ||
		    !claw_range_of_expression(asking, value, false, &one) ||
		    !claw_range_keep_type(asking, &one, variable->type))
			return false;
		if (i > 0)
			join(asking, &all, &one, &both);
		all = i > 0 ? both : one;
	}
	*ret = all;
	return true;
}

static const struct claw_range *find_known(const struct claw_asking *asking,
					   const struct claw_variable *variable)
{
	const struct claw_known *known = asking->hoist->known[asking->part];
	size_t count = asking->hoist->known_count[asking->part];

	for (size_t i = 0; i < count; i++)
		if (known[i].variable == variable)
			return &known[i].range;
	return NULL;
}

static void remember(struct claw_asking *asking,
		     const struct claw_variable *variable,
		     const struct claw_range *range)
{
	struct claw_hoist *hoist = asking->hoist;
	int part = asking->part;
	struct claw_known *grown = claw_grow(hoist->known[part],
					     hoist->known_count[part] + 1,
					     sizeof(*grown));

	hoist->known[part] = grown;
	grown[hoist->known_count[part]++] =
		(struct claw_known){ .variable = variable, .range = *range };
}

/* Whether all its values are from the place that is asked from, or later: one
 * declared earlier may have a value from before. */
static bool is_declared_later(const struct claw_asking *asking,
			      const struct claw_variable *variable)
{
	const struct claw_hoist *hoist = asking->hoist;
	size_t start = hoist->loop ? hoist->loop->start :
		asking->body->function->body;

	return variable->node->start >= start;
}

bool claw_range_of_variable(struct claw_asking *asking, struct claw_node *node,
			    struct claw_range *ret)
{
	struct claw_variable *variable = claw_variables_find(asking->body,
							     node);

	if (!variable || !claw_type_is_integer(variable->type) ||
	    variable->busy)
		return false;
	const struct claw_range *known = find_known(asking, variable);

	if (known) {
		*ret = *known;
		return true;
	}
	variable->busy = true;
	bool moving = claw_range_of_moving(asking, variable, node, ret);
	bool found = moving || (is_declared_later(asking, variable) &&
				range_of_set(asking, variable, ret));

	variable->busy = false;
	if (found && !moving)
		remember(asking, variable, ret);
	return found;
}
