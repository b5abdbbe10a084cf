/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel's words show. They are no syntax tree: what is found here
 * chooses which relations are tried first, and none of it decides alone that
 * something is a bug.
 */
#include "config.h"

#include "explore_text.h"

#include "explore_words.h"
#include "harness/base/memory.h"

enum { NEAR = 12, PASSES = 3, OFFSET_LEAST = 65 };

/* ---- constants ------------------------------------------------------- */

static void add_number(struct claw_explore_numbers *numbers, uint32_t number)
{
	for (unsigned int i = 0; i < numbers->count; i++)
		if (numbers->items[i] == number)
			return;
	if (numbers->count < CLAW_EXPLORE_NUMBERS)
		numbers->items[numbers->count++] = number;
}

/* float4, and the 4 of vload4. */
static uint32_t width_at(const struct text *text, size_t at)
{
	static const char *const stems[] = {
		"vload", "vstore", "char", "uchar", "short", "ushort", "int",
		"uint", "long", "ulong", "float", "double", "half", NULL,
	};

	for (size_t i = 0; stems[i]; i++) {
		size_t length = strlen(stems[i]);
		const char *rest = text->words[at].at + length;
		size_t left = text->words[at].length - length;

		if (!begins(text, at, stems[i]) || left < 1 || left > 2 ||
		    !isdigit((unsigned char)*rest))
			continue;
		return left == 2 ? 16 : (uint32_t)(*rest - '0');
	}
	return 0;
}

static bool is_beside(const struct text *text, size_t at, const char *sign)
{
	return is(text, at - 1, sign) || is(text, at + 1, sign);
}

/* "get_global_id(0) + 1": the first element is not the work-items' own, nor is
 * the last. */
static bool is_margin(const struct text *text, size_t at)
{
	return at > 5 && is(text, at - 1, "+") && is(text, at - 2, ")") &&
	       is(text, at - 5, "get_global_id");
}

static void note_margin(struct text *text, size_t at, uint32_t margin)
{
	uint32_t dimension;

	if (number_at(text, at, &dimension) && dimension < 3 &&
	    margin > text->kernel->margins[dimension])
		text->kernel->margins[dimension] = margin;
}

static void read_number(struct text *text, size_t at)
{
	struct claw_explore_kernel *kernel = text->kernel;
	uint32_t number, width = width_at(text, at);

	if (width > 1)
		add_number(&kernel->factors, width);
	if (!number_at(text, at, &number))
		return;
	add_number(&kernel->literals, number);
	if (number > 0 && number <= 32 && is_margin(text, at)) {
		add_number(&kernel->adders, 2 * number);
		note_margin(text, at - 3, 2 * number);
	}
	if (number > 1 && number <= 1024 && is_beside(text, at, "*"))
		add_number(&kernel->factors, number);
	if (number > 0 && number < 11 && is(text, at - 1, "<") &&
	    is(text, at - 2, "<"))
		add_number(&kernel->factors, 1u << number);
	if (number > 1 && number <= 64 &&
	    (is(text, at - 1, "+") || is(text, at - 1, "-")))
		add_number(&kernel->adders, number);
	if (number > 1 && number <= 64 && (is(text, at - 1, "<") ||
	    (is(text, at - 1, "=") && is(text, at - 2, "<"))))
		add_number(&kernel->limits, number);
}

/* "constant int days[12]": tables of the file, whose indices are below that. */
static void read_tables(const char *source, struct claw_explore_kernel *kernel)
{
	for (const char *at = source; (at = strstr(at, "constant ")); at++) {
		const char *open = at + strcspn(at, "[;={(");
		char *end;
		unsigned long number;

		if (*open != '[')
			continue;
		number = strtoul(open + 1, &end, 0);
		if (*end == ']' && number > 1 && number <= UINT16_MAX)
			add_number(&kernel->literals, (uint32_t)number);
	}
}

/* "-DTILE=16" */
static void read_options(const char *options, struct claw_explore_kernel *kernel)
{
	for (const char *at = options; at && (at = strchr(at, '=')); at++)
		if (isdigit((unsigned char)at[1]))
			add_number(&kernel->literals,
				   (uint32_t)strtoul(at + 1, NULL, 0));
}

/* A macro's number is what its name stands for: "+ RADIUS". */
static void read_macro(struct text *text, size_t name)
{
	struct claw_explore_kernel *kernel = text->kernel;
	uint32_t number;

	if (!number_at(text, name + 1, &number) || number < 2)
		return;
	for (size_t at = 1; at < text->count; at++) {
		if (at == name ||
		    !is_same(&text->words[at], &text->words[name]))
			continue;
		if (number <= 1024 && is_beside(text, at, "*"))
			add_number(&kernel->factors, number);
		if (number <= 64 && (is(text, at - 1, "+") ||
				     is(text, at - 1, "-")))
			add_number(&kernel->adders, number);
	}
}

/* ---- ids ------------------------------------------------------------- */

static void note_id(struct text *text, size_t name, unsigned int dimensions)
{
	for (unsigned int i = 0; i < text->id_count; i++)
		if (is_same(&text->ids[i].name, &text->words[name])) {
			text->ids[i].dimensions |= dimensions;
			return;
		}
	if (text->id_count == CLAW_TEXT_VARIABLES)
		return;
	text->ids[text->id_count].name = text->words[name];
	text->ids[text->id_count++].dimensions = dimensions;
}

/* "x = get_global_id(0)", and "at = y * width + x" behind it. A comma ends
 * what is declared with one type. What is loaded from memory is no id. */
static void find_ids(struct text *text)
{
	for (size_t at = 1; at + 1 < text->count; at++) {
		unsigned int found = 0;

		if (!is(text, at, "=") || is(text, at + 1, "=") ||
		    !is_name(text, at - 1))
			continue;
		for (size_t i = at + 1, depth = 0; i < text->count; i++) {
			size_t end;
			struct text one = *text;

			depth += is(text, i, "(");
			depth -= depth && is(text, i, ")");
			if (is(text, i, ";") || !text->words[i].length ||
			    is(text, i, "[") || (!depth && is(text, i, ",")))
				break;
			one.count = is(text, i, "get_global_id") &&
				i + 3 < text->count ? i + 3 : i + 1;
			found |= ids_from(&one, i, &end);
		}
		if (found)
			note_id(text, at - 1, found);
	}
}

/* Behind a comparison up to the end of what is compared: an argument? */
static bool has_argument(const struct text *text, size_t at, int step)
{
	for (int i = 0; i < NEAR; i++, at += (size_t)step) {
		int arg = argument_at(text, at);

		if (arg >= 0 &&
		    text->kernel->args[arg].role == CLAW_ROLE_INTEGER)
			return true;
		if (is(text, at, "&") || is(text, at, "|") ||
		    is(text, at, ";") || is(text, at, "{") ||
		    is(text, at, "?") || at >= text->count ||
		    !text->words[at].length)
			return false;
	}
	return false;
}

/* "(id + 1) * 4 <= n": work-items beyond n are not what it is about. */
static bool is_scaled(const struct text *text, size_t at)
{
	uint32_t number;

	return is(text, at, "*") && (number_at(text, at + 1, &number) ||
				     number_at(text, at - 1, &number));
}

/* Of the words next to a comparison, those of one side. */
static unsigned int ids_near(const struct text *text, size_t at, int step)
{
	unsigned int found = 0;
	struct text one = *text;
	size_t end;

	for (int i = 0; i < NEAR; i++, at += (size_t)step) {
		if (at >= text->count || is(text, at, "&") ||
		    is(text, at, "|") || is(text, at, ";") ||
		    is(text, at, "{") || is(text, at, "?") ||
		    is(text, at, "[") || is(text, at, "]") ||
		    is(text, at, "=") || !text->words[at].length)
			break;
		if (is_scaled(text, at))
			return 0;
		one.count = is(text, at, "get_global_id") &&
			at + 3 < text->count ? at + 3 : at + 1;
		found |= ids_from(&one, at, &end);
	}
	return found;
}

/* "id >= d ? a[id - d] : 0" keeps an index from being below 0. */
static bool is_from_below(const struct text *text, size_t at)
{
	bool is_chosen = false;

	if (!is(text, at, ">"))
		return false;
	for (; at + 1 < text->count && !is(text, at, ";") &&
	     !is(text, at, ":") && !is(text, at, "{"); at++) {
		is_chosen |= is(text, at, "?");
		if (is_chosen && is(text, at, "-") &&
		    argument_at(text, at + 1) >= 0)
			return true;
	}
	return false;
}

static bool is_comparison(const struct text *text, size_t at)
{
	return (is(text, at, "<") || is(text, at, ">")) && at > 0 &&
	       !is(text, at + 1, "<") && !is(text, at + 1, ">") &&
	       !is(text, at - 1, "<") && !is(text, at - 1, ">") &&
	       !is(text, at - 1, "-");
}

static void find_guards(struct text *text)
{
	for (size_t at = 1; at + 1 < text->count; at++) {
		size_t right = at + 1 + is(text, at + 1, "=");
		unsigned int found = 0;

		if (!is_comparison(text, at) || is_from_below(text, at))
			continue;
		if (has_argument(text, right, 1))
			found = ids_near(text, at - 1, -1);
		if (has_argument(text, at - 1, -1))
			found |= ids_near(text, right, 1);
		for (unsigned int i = 0; i < 3; i++)
			text->kernel->is_guarded[i] |= found >> i & 1;
	}
}

/* min(id, n - 1), clamp(): these are guards, too. */
static void find_clamps(struct text *text)
{
	for (size_t at = 0; at + 2 < text->count; at++) {
		struct text one = *text;
		unsigned int found;
		size_t end;

		if (!is(text, at, "min") && !is(text, at, "clamp"))
			continue;
		one.count = at + 2 + 2 * NEAR < text->count ?
			at + 2 + 2 * NEAR : text->count;
		found = has_argument(text, at + 2, 1) ?
			ids_from(&one, at + 2, &end) : 0;
		for (unsigned int i = 0; i < 3; i++)
			text->kernel->is_guarded[i] |= found >> i & 1;
	}
}

/* ---- arguments ------------------------------------------------------- */

/* "a[row + 1]" in a text that loops, "a[row + 1] - a[row]": the ends of rows. */
static void find_bounds(struct text *text)
{
	bool loops = false;

	for (size_t at = 0; at < text->count; at++)
		loops |= is(text, at, "for") || is(text, at, "while");
	for (size_t at = 0; loops && at + 5 < text->count; at++) {
		int arg = argument_at(text, at);
		struct claw_explore_arg *about;
		size_t end = at + 1;

		if (arg < 0 || !is(text, at + 1, "["))
			continue;
		about = &text->kernel->args[arg];
		while (end < text->count && !is(text, end, "]"))
			end++;
		if (about->type.base < CLAW_CLW_HALF &&
		    is(text, end - 2, "+") && is(text, end - 1, "1") &&
		    (is(text, end + 1, "-") ? argument_at(text, end + 2) == arg :
		     about->is_const))
			about->is_bounds = true;
	}
}

static void find_counters(struct text *text)
{
	for (size_t at = 0; at + 2 < text->count; at++) {
		if (!begins(text, at, "atom"))
			continue;
		for (size_t i = at + 2; i < at + 2 + NEAR; i++) {
			int arg = argument_at(text, i);

			if (arg >= 0)
				text->kernel->args[arg].is_counter = true;
			if (arg >= 0 || is(text, i, ",") || is(text, i, ")"))
				break;
		}
	}
}

/* Arguments next to a comparison; is_number: there is nothing but a number. */
static unsigned int arguments_near(const struct text *text, size_t at, int step,
				   bool *ret_is_number)
{
	const char *inner = step > 0 ? "(" : ")", *outer = step > 0 ? ")" : "(";
	unsigned int found = 0, depth = 0;
	uint32_t number;

	*ret_is_number = true;
	for (int i = 0; i < NEAR; i++, at += (size_t)step) {
		int arg = argument_at(text, at);

		depth += is(text, at, inner);
		if (is(text, at, outer) && depth-- == 0)
			break;
		if (at >= text->count || !text->words[at].length ||
		    is(text, at, "&") || is(text, at, "|") ||
		    is(text, at, ";") || is(text, at, "{") ||
		    is(text, at, "?"))
			break;
		found |= arg >= 0 && text->kernel->args[arg].role ==
			CLAW_ROLE_INTEGER ? 1u << arg : 0;
		*ret_is_number &= number_at(text, at, &number) ||
			is(text, at, "(") || is(text, at, ")") ||
			is(text, at, "=");
	}
	return found;
}

/* "nx * (y + ny * z)": the words behind the bracket. */
static size_t behind_bracket(const struct text *text, size_t at)
{
	size_t depth = 0;

	for (; at < text->count; at++) {
		depth += is(text, at, "(");
		depth -= depth && is(text, at, ")");
		if (!depth)
			break;
	}
	return at + 1;
}

/* One that the kernel does not mention is what its caller knows: a size. */
static bool is_used(const struct text *text, unsigned int arg)
{
	bool in_body = false;

	for (size_t at = 0; at < text->count; at++) {
		in_body |= is(text, at, "{");
		if (in_body && argument_at(text, at) == (int)arg)
			return true;
	}
	return text->kernel->args[arg].role != CLAW_ROLE_INTEGER;
}

/* "id < n" and "y * width": sizes. "a[row * n + id]": row is none. */
static void find_limiting(struct text *text)
{
	unsigned int found = 0, left, right;

	for (size_t at = 1; at + 1 < text->count; at++) {
		bool is_number[2];
		size_t ids_end;
		struct text one = *text;

		if (is(text, at, "*") && argument_at(text, at + 1) >= 0) {
			one.count = at;
			found |= ids_from(&one, at - 1, &ids_end) ?
				1u << argument_at(text, at + 1) : 0;
		} else if (is(text, at, "*") && argument_at(text, at - 1) >= 0) {
			one.count = behind_bracket(text, at + 1);
			found |= ids_from(&one, at + 1, &ids_end) ?
				1u << argument_at(text, at - 1) : 0;
		}
		if (is(text, at, "=") && is(text, at + 1, "=") &&
		    ids_near(text, at - 1, -1))
			found |= arguments_near(text, at + 2, 1, &is_number[1]);
		if (!is_comparison(text, at))
			continue;
		left = arguments_near(text, at - 1, -1, &is_number[0]);
		right = arguments_near(text, at + 1, 1, &is_number[1]);
		if (!is_number[0] && !is_number[1])
			found |= is(text, at, "<") ? right : left;
	}
	for (unsigned int i = 0; i < text->kernel->arg_count; i++)
		text->kernel->args[i].is_limit = found >> i & 1;
}

/* The "[" that a word stands behind, in its statement; 0: none. */
static size_t bracket_around(const struct text *text, size_t at)
{
	size_t closed = 0;

	for (; at > 0 && !is(text, at, ";") && !is(text, at, "{") &&
	     !is(text, at, "}"); at--) {
		closed += is(text, at, "]");
		if (is(text, at, "[") && closed-- == 0)
			return at;
	}
	return 0;
}

/* "[months[id] - 1]": months count from 1, unless "[months[id]]" is there, too. */
static void find_from_one(struct text *text)
{
	unsigned int found[2] = { 0 };

	for (size_t at = 3; at + 3 < text->count; at++) {
		size_t open = is(text, at, "]") ?
			bracket_around(text, at - 1) : 0;
		int arg = open ? argument_at(text, open - 1) : -1;

		if (arg >= 0 && bracket_around(text, open - 1))
			found[is(text, at + 1, "-") && is(text, at + 2, "1") &&
			   is(text, at + 3, "]")] |= 1u << arg;
	}
	for (unsigned int i = 0; i < text->kernel->arg_count; i++)
		text->kernel->args[i].is_from_one = (found[1] & ~found[0]) >> i & 1;
}

/* "y - 200": the launch may begin there. */
static void find_offsets(struct text *text)
{
	for (size_t at = 1; at + 2 < text->count; at++) {
		struct text one = *text;
		uint32_t number;
		unsigned int found;
		size_t end;

		if (!is(text, at, "-") || !number_at(text, at + 1, &number) ||
		    number < OFFSET_LEAST || number > UINT16_MAX)
			continue;
		one.count = at;
		found = ids_from(&one, at - 1, &end);
		if (found && text->kernel->subtracted < number)
			text->kernel->subtracted = number;
	}
}

/* "y * 6 + x": rows of 6. */
static void find_rows(struct text *text)
{
	for (size_t at = 1; at + 1 < text->count; at++) {
		for (size_t other = at - 1; is(text, at, "*") && other <= at + 1;
		     other += 2) {
			struct text one = *text;
			uint32_t number;
			size_t end;

			one.count = other + 1;
			if (ids_from(&one, other, &end) & ~1u &&
			    number_at(text, 2 * at - other, &number) &&
			    number >= 4)
				add_number(&text->kernel->rows, number);
		}
	}
}

/* "local int tile[8][9]" */
static void find_tiles(struct text *text)
{
	bool is_local = false;
	uint32_t number;

	for (size_t at = 0; at + 2 < text->count; at++) {
		if (is(text, at, "local") || is(text, at, "__local"))
			is_local = true;
		if (is(text, at, ";") || is(text, at, "{"))
			is_local = false;
		if (is_local && is(text, at, "[") && is(text, at + 2, "]") &&
		    number_at(text, at + 1, &number))
			add_number(&text->kernel->tiles, number);
	}
}

/* "(global uchar *)image + y * pitch" */
static void find_bytewise(struct text *text)
{
	for (size_t at = 0; at + 2 < text->count; at++)
		text->kernel->is_bytewise |=
			(is(text, at, "char") || is(text, at, "uchar")) &&
			is(text, at + 1, "*") && is(text, at + 2, ")");
}

static bool is_integer_buffer(const struct text *text, size_t at)
{
	int arg = argument_at(text, at);

	return arg >= 0 && is(text, at + 1, "[") &&
	       text->kernel->args[arg].role == CLAW_ROLE_BUFFER &&
	       text->kernel->args[arg].type.base < CLAW_CLW_HALF;
}

static bool is_used_as_index(const struct text *text, size_t name)
{
	for (size_t at = name + 1; at < text->count; at++)
		if (is_same(&text->words[at], &text->words[name]) &&
		    bracket_around(text, at))
			return true;
	return false;
}

/* "out[perm[id]]", or "row = perm[id]; out[row]" */
static void find_loaded(struct text *text)
{
	for (size_t at = 2; at + 1 < text->count; at++) {
		size_t from = at;

		if (!is_integer_buffer(text, at))
			continue;
		while (from > 1 && !is(text, from, "=") && !is(text, from, ";"))
			from--;
		text->kernel->has_loaded_index |= bracket_around(text, at) ||
			(is(text, from, "=") && is_name(text, from - 1) &&
			 is_used_as_index(text, from - 1));
	}
}

/* The buffers that a name stands for: its own, or what is assigned to it. */
static unsigned int buffers_of(const struct text *text, size_t name)
{
	int arg = argument_at(text, name);
	unsigned int found = arg >= 0 ? 1u << arg : 0;

	for (size_t at = 1; arg < 0 && at < text->count; at++) {
		size_t from = at + 1;

		if (!is_same(&text->words[at], &text->words[name]))
			continue;
		while (is(text, at + 1, "[") && from < text->count &&
		       !is(text, from - 1, "]"))
			from++;
		if (!is(text, from, "=") || is(text, from + 1, "="))
			continue;
		for (; from < text->count && !is(text, from, ";"); from++) {
			arg = argument_at(text, from);
			if (arg >= 0 && is(text, from + 1, "["))
				found |= 1u << arg;
		}
	}
	return found;
}

/* "0", "0.0f" */
static bool is_zero(const struct text *text, size_t at)
{
	return is(text, at, "0") &&
	       (!is(text, at + 1, ".") || begins(text, at + 2, "0"));
}

/* "if (a[id] < 0)", or ">= 0": its elements may be below 0. */
static void find_signed(struct text *text)
{
	unsigned int found = 0;

	for (size_t at = 2; at + 2 < text->count; at++) {
		bool is_below = is(text, at, "<") && !is(text, at + 1, "=");
		bool is_not = is(text, at, ">") && is(text, at + 1, "=");
		size_t name = is(text, at - 1, "]") ?
			bracket_around(text, at - 2) - 1 : at - 1;

		if ((is_below || is_not) && name < at && is_name(text, name) &&
		    is_zero(text, at + 1 + is_not))
			found |= buffers_of(text, name);
	}
	for (unsigned int i = 0; i < text->kernel->arg_count; i++) {
		struct claw_explore_arg *arg = &text->kernel->args[i];

		arg->is_signed = found >> i & 1 &&
			arg->role == CLAW_ROLE_BUFFER &&
			*claw_clw_base_name(arg->type.base) != 'u';
	}
}

/* Where a statement is that nothing decides on. */
struct plain {
	size_t depth, brackets;
	bool begins, is_plain;
};

static void step_plain(const struct text *text, size_t at, struct plain *plain)
{
	static const char *const deciders[] = { "if", "else", "for", "while",
		"do", "switch", "case", "default" };

	if (!text->words[at].length)
		plain->depth = 0;
	if (plain->begins)
		plain->is_plain = plain->depth == 1;
	for (size_t i = 0; plain->begins &&
	     i < sizeof(deciders) / sizeof(deciders[0]); i++)
		plain->is_plain &= !is(text, at, deciders[i]);
	plain->depth += is(text, at, "{");
	plain->depth -= plain->depth && is(text, at, "}");
	plain->brackets += is(text, at, "(");
	plain->brackets -= plain->brackets && is(text, at, ")");
	plain->begins = is(text, at, "{") || is(text, at, "}") ||
		(is(text, at, ";") && !plain->brackets);
	if (is(text, at, "?") || is(text, at, "&") || is(text, at, "|"))
		plain->is_plain = false;
}

/* "if (id < n) sum = a[id]; sums[id] = sum;": sums has one for each work-item. */
static void find_free_ids(struct text *text)
{
	struct plain plain = { 0, 0, true, false };

	for (size_t at = 0; at < text->count; at++)
		if (is(text, at, "min") || is(text, at, "clamp"))
			return;
	for (size_t at = 0; at + 2 < text->count; at++) {
		int arg = argument_at(text, at);
		struct text one = *text;
		size_t end = at + 2;

		step_plain(text, at, &plain);
		if (is(text, at, "return"))
			return;
		if (!plain.is_plain || arg < 0 || !is(text, at + 1, "["))
			continue;
		while (end < text->count && !is(text, end, "]") &&
		       !is(text, end, ";"))
			end++;
		one.count = end;
		text->kernel->args[arg].free_ids |= ids_from(&one, at + 2, &end);
	}
}

/* Ids of the group's work-items beside those of all: there are more groups. */
static void find_groups(struct text *text)
{
	bool has_local = false, has_global = false;

	for (size_t at = 0; at < text->count; at++) {
		has_local |= is(text, at, "get_local_id") ||
			is(text, at, "get_local_size") ||
			is(text, at, "get_local_linear_id");
		has_global |= is(text, at, "get_global_id") ||
			is(text, at, "get_group_id") ||
			is(text, at, "get_global_linear_id");
	}
	text->kernel->is_task = !has_local && !has_global;
	text->kernel->may_be_one_group = !(has_local && has_global);
}

void claw_explore_text_read(const char *source, const char *build_options,
			    struct claw_explore_kernel *kernel)
{
	struct claw_init_source *whole = claw_init_source_new(source);
	struct text text = { .kernel = kernel };

	claw_init_source_choose(whole, kernel->name);
	text.words = claw_init_words(whole, &text.count);
	kernel->dimensions = claw_init_dimensions(whole);
	kernel->has_groups |= claw_init_has_groups(whole);
	for (size_t i = 0; i < kernel->arg_count; i++)
		if (kernel->args[i].role == CLAW_ROLE_IMAGE)
			memcpy(kernel->args[i].image, claw_init_image_suffix(
				whole, kernel->args[i].name,
				kernel->args[i].is_written), 2);
	for (size_t at = 1; at < text.count; at++) {
		read_number(&text, at);
		if (is_name(&text, at) && (at == 0 || !text.words[at - 1].length))
			read_macro(&text, at);
	}
	read_options(build_options, kernel);
	read_tables(source, kernel);
	for (int i = 0; i < PASSES; i++)
		find_ids(&text);
	find_guards(&text);
	find_clamps(&text);
	find_limiting(&text);
	for (unsigned int i = 0; i < kernel->arg_count; i++)
		kernel->args[i].is_unused = !is_used(&text, i);
	find_bounds(&text);
	find_counters(&text);
	find_from_one(&text);
	find_offsets(&text);
	find_rows(&text);
	find_tiles(&text);
	find_bytewise(&text);
	find_free_ids(&text);
	find_loaded(&text);
	find_signed(&text);
	find_groups(&text);
	claw_explore_find_bounds(&text);
	free(text.words);
	claw_init_source_free(whole);
}
