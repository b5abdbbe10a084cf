/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that no kernel comes to: see unreached.h. */
#include "config.h"

#include "unreached.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

struct seeing {
	const struct claw_unit *unit;
	bool *reached;			/* of each function */
	size_t *left, left_count;	/* definitions to look at */
};

static void reach(struct seeing *seeing, CXCursor canonical)
{
	for (size_t i = 0; i < seeing->unit->function_count; i++) {
		const struct claw_function *function =
			&seeing->unit->functions[i];

		if (seeing->reached[i] || !function->is_definition ||
		    !clang_equalCursors(function->canonical, canonical))
			continue;
		seeing->reached[i] = true;
		seeing->left[seeing->left_count++] = i;
	}
}

/* Any use of a function's name is taken for a call. */
static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent,
				   CXClientData data)
{
	CXCursor named = clang_getCursorReferenced(cursor);

	(void)parent;
	if (!clang_Cursor_isNull(named) &&
	    clang_getCursorKind(named) == CXCursor_FunctionDecl)
		reach(data, clang_getCanonicalCursor(named));
	return CXChildVisit_Recurse;
}

/* False: there is no kernel. */
static bool find_reached(struct seeing *seeing)
{
	const struct claw_unit *unit = seeing->unit;

	for (size_t i = 0; i < unit->function_count; i++)
		if (unit->functions[i].is_kernel)
			reach(seeing, unit->functions[i].canonical);
	if (!seeing->left_count)
		return false;
	while (seeing->left_count) {
		size_t next = seeing->left[--seeing->left_count];

		clang_visitChildren(unit->functions[next].cursor, see, seeing);
	}
	return true;
}

/* A ; and the body's lines, of which only line markers ("# 7") are what they
 * were: a pragma would be about what follows. */
static char *lines_of(const char *body, size_t bytes)
{
	char *made = claw_malloc(bytes + 2), *to = made;
	const char *end = body + bytes;

	*to++ = ';';
	while ((body = memchr(body, '\n', (size_t)(end - body)))) {
		size_t line = 1;

		if (end - body > 2 && body[1] == '#' && body[2] == ' ')
			line += strcspn(body + 1, "\n");
		memcpy(to, body, line);
		to += line;
		body += line;
	}
	*to = '\0';
	return made;
}

void claw_unreached_cut(struct claw_rewrite *rewrite)
{
	const struct claw_unit *unit = rewrite->unit;
	size_t count = unit->function_count;
	struct seeing seeing = { .unit = unit };

	/* Other programs may call them, or another name may be theirs. */
	if (rewrite->request->is_separate || strstr(unit->text, "alias"))
		return;
	seeing.reached = claw_calloc(count + 1, sizeof(*seeing.reached));
	seeing.left = claw_calloc(count + 1, sizeof(*seeing.left));
	if (!find_reached(&seeing))
		count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct claw_function *function = &unit->functions[i];

		if (seeing.reached[i] || !function->is_definition)
			continue;
		char *words = lines_of(unit->text + function->body,
				       function->body_end + 1 - function->body);

		claw_edits_cut(&rewrite->edits, function->body,
			       function->body_end + 1, words);
		free(words);
	}
	free(seeing.reached);
	free(seeing.left);
}
