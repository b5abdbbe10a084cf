/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words that the sentences of findings have holes for.
 */
#include "config.h"

#include "found_words.h"

#include <inttypes.h>
#include <string.h>

#include "faults/shared/api.h"
#include "faults/shared/probe_format.h"
#include "leaks.h"
#include "harness/base/text.h"
#include "harness/base/words.h"

enum { AT, SECOND, THIRD };

/* "clReleaseMemObject at drop (tile.c:61)" */
static bool put_where(FILE *out, const struct claw_found_where *where)
{
	const char *place = where->site.place;

	if (!where->api && !place) {
		fputs("something", out);
		return false;
	}
	fprintf(out, "%s%s%s", where->api ? where->api : "the program",
		place ? " at " : "", place ? place : "");
	return true;
}

static bool put_at(FILE *out, const struct claw_found_group *group)
{
	return put_where(out, &group->where[AT]);
}

static bool put_second(FILE *out, const struct claw_found_group *group)
{
	return put_where(out, &group->where[SECOND]);
}

static bool put_third(FILE *out, const struct claw_found_group *group)
{
	return put_where(out, &group->where[THIRD]);
}

/* "a buffer", "an image"; of what nobody knows the maker of, less. */
static void put_noun(FILE *out, enum claw_obj object, const char *maker)
{
	const char *noun = object == CLAW_OBJ_MEM && !maker ?
		"memory object" : object == CLAW_OBJ_SVM && !maker ?
		"shared memory" : object == CLAW_OBJ_NONE ? "object" :
		claw_leak_noun(object, maker ? maker : "");
	bool vowel = *noun && strchr("aeiouSU", *noun) &&
		!claw_begins(noun, "us") && !claw_begins(noun, "US");

	if (object == CLAW_OBJ_SVM && !maker)
		fputs(noun, out);
	else
		fprintf(out, "%s %s", vowel ? "an" : "a", noun);
}

static bool put_object(FILE *out, const struct claw_found_group *group)
{
	int maker = claw_found_kind_maker(group->kind);

	put_noun(out, group->where[AT].object, maker < 0 ? NULL :
		 group->where[maker].api);
	return true;
}

/* What an object of the wrong type is. */
static bool put_being(FILE *out, const struct claw_found_group *group)
{
	put_noun(out, group->where[SECOND].object, group->where[SECOND].api);
	return true;
}

static bool is_free(const struct claw_found_group *group)
{
	return group->where[AT].object == CLAW_OBJ_SVM;
}

static bool put_released(FILE *out, const struct claw_found_group *group)
{
	fputs(is_free(group) ? "freed" : "released", out);
	return true;
}

static bool put_releases(FILE *out, const struct claw_found_group *group)
{
	fputs(is_free(group) ? "frees" : "releases", out);
	return true;
}

static int find_role(const struct claw_api_info *api, const char *name)
{
	for (size_t i = 0; i < api->param_count; i++)
		if (strcmp(api->params[i], name) == 0)
			return api->roles[i];
	return CLAW_P_OTHER;
}

/* Does the parameter's name tell more than the object's type? */
static bool is_telling(const char *api_name, const char *name)
{
	int api = claw_api_find(api_name ? api_name : "");
	const struct claw_api_info *info = api < 0 ? NULL :
		&claw_api_table[api];
	int role = info ? find_role(info, name) : CLAW_P_OTHER;
	unsigned int same = 0;

	for (size_t i = 0; info && i < info->param_count; i++)
		same += info->roles[i] == role;
	return same > 1 || role == CLAW_P_WAIT_LIST;
}

/* Which argument of a kernel, or which parameter of several. */
static bool put_argument(FILE *out, const struct claw_found_group *group)
{
	const char *name = group->first.name;
	uint64_t number = group->first.values[0];

	if (group->kind == CLAW_FOUND_USE_RELEASED && number > 0)
		fprintf(out, " as argument %" PRIu64 "%s%s", number - 1,
			*name ? " of kernel " : "", name);
	else if (*name && is_telling(group->where[AT].api, name))
		fprintf(out, " (its %s)", name);
	return true;
}

static bool put_in_destructor(FILE *out, const struct claw_found_group *group)
{
	if (group->first.values[0] == 1)
		fputs(", inside its destructor callback", out);
	return true;
}

static bool put_code(FILE *out, const struct claw_found_group *group)
{
	cl_int code = (cl_int)group->first.values[0];
	const char *name = claw_code_name(code);

	if (name)
		fputs(name, out);
	else
		fprintf(out, "%d", (int)code);
	return code != CL_SUCCESS;
}

static bool put_name(FILE *out, const struct claw_found_group *group)
{
	fputs(*group->first.name ? group->first.name : "?", out);
	return *group->first.name;
}

static void put_kernel(FILE *out, const char *name, size_t length)
{
	if (length > 0)
		fprintf(out, " of kernel %.*s", (int)length, name);
}

static bool put_of_kernel(FILE *out, const struct claw_found_group *group)
{
	put_kernel(out, group->first.name, strlen(group->first.name));
	return true;
}

/* name is "LATER/EARLIER". */
static bool put_of_later(FILE *out, const struct claw_found_group *group)
{
	put_kernel(out, group->first.name, strcspn(group->first.name, "/"));
	return true;
}

static bool put_of_earlier(FILE *out, const struct claw_found_group *group)
{
	const char *slash = strchr(group->first.name, '/');

	if (slash)
		put_kernel(out, slash + 1, strlen(slash + 1));
	return true;
}

static bool put_later(FILE *out, const struct claw_found_group *group)
{
	fputs(group->first.values[0] & 1 ? "writes" : "reads", out);
	return true;
}

static bool put_earlier(FILE *out, const struct claw_found_group *group)
{
	fputs(group->first.values[0] & 2 ? "writes" : "reads", out);
	return true;
}

static bool put_touches(FILE *out, const struct claw_found_group *group)
{
	fputs(group->first.values[2] & 1 ? "writes to" : "reads", out);
	return true;
}

static bool put_and_more(FILE *out, const struct claw_found_group *group)
{
	uint64_t more = group->first.values[0];

	if (more <= 1)
		return true;
	fputs(" and ", out);
	claw_print_count(out, more - 1);
	fprintf(out, " more command%s", more == 2 ? "" : "s");
	return true;
}

/* ---- numbers ------------------------------------------------------------- */

static void put_bytes(FILE *out, uint64_t bytes)
{
	claw_print_count(out, bytes);
	fprintf(out, " byte%s", bytes == 1 ? "" : "s");
}

static bool put_value(FILE *out, const struct claw_found_group *group,
		      size_t index, bool in_bytes)
{
	uint64_t value = group->first.values[index];

	if (in_bytes)
		put_bytes(out, value);
	else
		claw_print_count(out, value);
	return !in_bytes || value > 0;
}

#define VALUE(index_, in_bytes_, name_)					\
	static bool name_(FILE *out, const struct claw_found_group *group) \
	{								\
		return put_value(out, group, index_, in_bytes_);	\
	}

VALUE(0, false, put_value_0)
VALUE(0, true, put_value_0_bytes)
VALUE(1, true, put_value_1_bytes)
VALUE(2, true, put_value_2_bytes)
VALUE(4, true, put_value_4_bytes)
#undef VALUE

/* ---- guard zones --------------------------------------------------------- */

/* "from 16 bytes past the end", "right before the begin" */
static bool put_guard_where(FILE *out, const struct claw_found_group *group)
{
	int64_t offset = (int64_t)group->first.values[1];
	uint64_t size = group->first.values[3];

	if (offset < 0) {
		fputs("from ", out);
		put_bytes(out, -(uint64_t)offset);
		fputs(" before the start", out);
	} else if ((uint64_t)offset <= size) {
		fputs("right past the end", out);
	} else {
		fputs("from ", out);
		put_bytes(out, (uint64_t)offset - size);
		fputs(" past the end", out);
	}
	return true;
}

/* "argument 2, a buffer of 4,096 bytes" */
static bool put_guard_buffer(FILE *out, const struct claw_found_group *group)
{
	const uint64_t *values = group->first.values;

	if (values[0] < UINT32_MAX)
		fprintf(out, "argument %" PRIu64 ", ", values[0]);
	put_object(out, group);
	fputs(" of ", out);
	put_bytes(out, values[3]);
	return true;
}

static bool put_launch(FILE *out, const struct claw_found_group *group)
{
	const struct claw_found_where *at = &group->where[AT];

	if (!at->site.place)
		return put_where(out, at);
	fputs(at->site.place, out);
	return true;
}

static bool put_byte(FILE *out, const struct claw_found_group *group)
{
	fprintf(out, "0x%02x", (unsigned int)(group->first.values[2] & 0xff));
	return true;
}

/* How far a transfer goes too far. */
static bool put_past(FILE *out, const struct claw_found_group *group)
{
	const uint64_t *values = group->first.values;
	uint64_t end;

	if (__builtin_add_overflow(values[0], values[1], &end) ||
	    end <= values[2])
		fputs("past the end", out);
	else {
		put_bytes(out, end - values[2]);
		fputs(" past the end", out);
	}
	return true;
}

/* "its width is 8, the region has 5 from 4 on" */
static bool put_box(FILE *out, const struct claw_found_group *group)
{
	static const char *const axes[] = {
		"width is ", "height (or number of layers) is ",
		"depth (or number of layers) is ",
	};
	const uint64_t *values = group->first.values;

	fputs("its ", out);
	fputs(axes[values[3] < 3 ? values[3] : 2], out);
	claw_print_count(out, values[2]);
	fputs(", the region has ", out);
	claw_print_count(out, values[1]);
	fputs(" from ", out);
	claw_print_count(out, values[0]);
	fputs(" on", out);
	return true;
}

/* ---- kernels ------------------------------------------------------------- */

/* "kernel blur (blur.cl:12:9)", "kernel blur in clamp_at (blur.cl:3:1)" */
static bool put_in_kernel(FILE *out, const struct claw_found_group *group)
{
	const struct claw_found_access *access = &group->access;
	const char *name = group->first.name;

	fprintf(out, "kernel %s", *name ? name : "?");
	if (access->function && strcmp(access->function, name) != 0)
		fprintf(out, " in %s", access->function);
	if (access->file)
		fprintf(out, " (%s:%u:%u)", access->file, access->line,
			access->column);
	return access->file;
}

/* "reads 4 bytes", "writes 16 bytes (out[i])" */
static bool put_does(FILE *out, const struct claw_found_group *group)
{
	const struct claw_found_access *access = &group->access;
	const char *kind = access->kind ? access->kind : "";

	fputs(strcmp(kind, "read") == 0 ? "reads " :
	      strcmp(kind, "write") == 0 ? "writes " :
	      strcmp(kind, "atomic") == 0 ||
	      strcmp(kind, "update") == 0 ? "changes " : "accesses ", out);
	if (access->bytes)
		put_bytes(out, access->bytes);
	else
		fputs("memory", out);
	if (access->text && *access->text)
		fprintf(out, " (%s)", access->text);
	return access->kind;
}

/* "16 bytes past the end", "4 bytes before the beginning" */
static bool put_beyond(FILE *out, const struct claw_found_group *group)
{
	int64_t offset = (int64_t)group->first.values[1];
	uint64_t size = group->first.values[2];

	if (offset < 0) {
		put_bytes(out, -(uint64_t)offset);
		fputs(" before the start", out);
	} else if ((uint64_t)offset > size) {
		put_bytes(out, (uint64_t)offset - size);
		fputs(" past the end", out);
	} else {
		fputs((uint64_t)offset == size ? "right past the end" :
		      "over the end", out);
	}
	return true;
}

/* "argument 2 (in) of 4,096 bytes", "the local array tile of 64 bytes" */
static bool put_target(FILE *out, const struct claw_found_group *group)
{
	const struct claw_found_access *access = &group->access;
	uint64_t argument = group->first.values[3];

	if (argument > 0)
		fprintf(out, "argument %" PRIu64, argument - 1);
	else
		fprintf(out, "%s%smemory", access->space ? access->space : "",
			access->space ? " " : "");
	if (access->object)
		fprintf(out, " (%s)", access->object);
	fputs(" of ", out);
	put_bytes(out, group->first.values[2]);
	return argument > 0;
}

/* As a kernel has it: an int, or a float. */
static void put_coordinate(FILE *out, uint32_t bits, bool is_float)
{
	float number;

	memcpy(&number, &bits, sizeof(number));
	if (is_float)
		fprintf(out, "%g", (double)number);
	else
		fprintf(out, "%" PRId32, (int32_t)bits);
}

/* "writes (8,0) outside of argument 1 (out), an image2d of 8x4 pixels" */
static bool put_pixel(FILE *out, const struct claw_found_group *group)
{
	const struct claw_found_access *access = &group->access;
	const uint64_t *values = group->first.values;
	const uint32_t at[] = { (uint32_t)values[1],
				(uint32_t)(values[1] >> 32),
				(uint32_t)values[4] };
	const uint32_t size[] = { (uint32_t)values[2],
				  (uint32_t)(values[2] >> 32),
				  (uint32_t)(values[4] >> 32) };
	const char *kind = access->kind;

	fputs(kind && strcmp(kind, "read") == 0 ? "reads" : "writes", out);
	for (size_t i = 0; i < 3 && size[i] > 0; i++) {
		fputs(i ? "," : " (", out);
		put_coordinate(out, at[i], access->bytes == 1);
	}
	fputs(") outside of ", out);
	if (values[3] > 0)
		fprintf(out, "argument %" PRIu64 " ", values[3] - 1);
	if (access->object)
		fprintf(out, "(%s)", access->object);
	fprintf(out, ", an %s of %" PRIu32, access->space ? access->space :
		"image", size[0]);
	for (size_t i = 1; i < 3 && size[i] > 0; i++)
		fprintf(out, "x%" PRIu32, size[i]);
	fputs(size[0] == 1 && size[1] < 2 ? " pixel" : " pixels", out);
	return values[3] > 0;
}

/* The same call by all of the group. */
static bool has_other_arguments(const struct claw_found_group *group)
{
	return (uint32_t)group->first.values[4] == group->first.values[0] + 1;
}

/* Of a barrier, or of a work-group function. */
static bool put_meets(FILE *out, const struct claw_found_group *group)
{
	const char *text = group->access.text ? group->access.text : "barrier";

	fprintf(out, has_other_arguments(group) ?
		"reaches %s with arguments that differ in the group" :
		"reaches %s, but not with all work-items of the group", text);
	return true;
}

/* "blur.cl:10:6 (i < n)" */
static bool put_condition(FILE *out, const struct claw_found_group *group)
{
	const struct claw_found_access *other = &group->other;

	if (!other->file || has_other_arguments(group))
		return false;
	fprintf(out, "%s:%u:%u (%s)", other->file, other->line,
		other->column, other->text ? other->text : "?");
	return true;
}

static bool put_other_item(FILE *out, const struct claw_found_group *group)
{
	const uint64_t *values = group->first.values;

	fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, (uint32_t)values[1],
		(uint32_t)(values[1] >> 32), (uint32_t)values[2] - 1);
	return values[2] > 0;
}

/* "; work-item 8,0,0 of work-group 1,0,0" */
static bool put_by_whom(FILE *out, const struct claw_found_group *group)
{
	const uint32_t *ids = group->first.ids;

	if (ids[0] == CLAW_FOUND_NO_ID)
		return false;
	fprintf(out, "; work-item %u,%u,%u", ids[0], ids[1], ids[2]);
	if (ids[3] != CLAW_FOUND_NO_ID)
		fprintf(out, " of work-group %u,%u,%u", ids[3], ids[4], ids[5]);
	return true;
}

/* ---- races --------------------------------------------------------------- */

static uint32_t race_of(const struct claw_found_group *group)
{
	return (uint32_t)(group->first.values[4] >> 32);
}

/* " at byte 4 of argument 1 (sums)", " at byte 4 of local memory (tile)" */
static bool put_race_object(FILE *out, const struct claw_found_group *group)
{
	const struct claw_found_access *access = group->is_turned ?
		&group->other : &group->access;
	uint64_t argument = group->first.values[3];

	fputs(" at byte ", out);
	claw_print_count(out, group->first.values[1]);
	if (argument > 0)
		fprintf(out, " of argument %" PRIu64, argument - 1);
	else
		fprintf(out, " of %s memory", access->space ? access->space :
			"local");
	if (access->object)
		fprintf(out, " (%s)", access->object);
	return true;
}

static const char *race_verb(const struct claw_found_group *group)
{
	const char *kind = group->other.kind;

	if (kind)
		return strcmp(kind, "read") == 0 ? "reads" :
		       strcmp(kind, "write") == 0 ? "writes" : "changes";
	return race_of(group) & CLAW_RACE_WRITES ? "writes" :
	       race_of(group) & CLAW_RACE_ATOMIC ? "changes" : "reads";
}

/* "work-item 3,0,0 writes at line 25 (tile[lid])" */
static bool put_race_other(FILE *out, const struct claw_found_group *group)
{
	uint64_t at = group->first.values[2];
	uint32_t race = race_of(group);
	const struct claw_found_access *other = &group->other;

	if (race & CLAW_RACE_ITEM)
		fprintf(out, "work-item %u,%u,%u", (uint32_t)at,
			(uint32_t)(at >> 32), race >> CLAW_RACE_Z_SHIFT);
	else
		fputs(race & CLAW_RACE_GROUP ? "another work-item of the group" :
		      "a work-item of another group", out);
	fprintf(out, " %s", race_verb(group));
	if (other->file && group->access.file &&
	    strcmp(other->file, group->access.file) == 0)
		fprintf(out, " at line %u", other->line);
	else if (other->file)
		fprintf(out, " at %s:%u", other->file, other->line);
	if (other->text && *other->text)
		fprintf(out, " (%s)", other->text);
	return true;
}

static bool is_atomic(const struct claw_found_access *access)
{
	return access->kind && strcmp(access->kind, "atomic") == 0;
}

static bool put_race_order(FILE *out, const struct claw_found_group *group)
{
	if (is_atomic(&group->access) && is_atomic(&group->other))
		fputs("the scope of one is its work-group alone", out);
	else
		fputs(race_of(group) & CLAW_RACE_GROUP ?
		      "no barrier orders them" : "nothing orders work-groups",
		      out);
	if (race_of(group) & CLAW_RACE_SAME)
		fputs(", though both write the same value", out);
	return true;
}

static bool put_divisor(FILE *out, const struct claw_found_group *group)
{
	int64_t divisor = (int64_t)group->first.values[1];

	if (divisor == 0)
		fputs("by zero", out);
	else
		fprintf(out, "the smallest integer by %" PRId64, divisor);
	return true;
}

static bool put_distance(FILE *out, const struct claw_found_group *group)
{
	fprintf(out, "%" PRIu64 " bits by %" PRId64, group->first.values[2],
		(int64_t)group->first.values[1]);
	return true;
}

/* ---- the table ----------------------------------------------------------- */

static const struct {
	const char *word;
	bool (*put)(FILE *out, const struct claw_found_group *group);
} words[] = {
	{ "at", put_at },
	{ "second", put_second },
	{ "third", put_third },
	{ "object", put_object },
	{ "being", put_being },
	{ "released", put_released },
	{ "releases", put_releases },
	{ "argument", put_argument },
	{ "in destructor", put_in_destructor },
	{ "code", put_code },
	{ "name", put_name },
	{ "of kernel", put_of_kernel },
	{ "of later kernel", put_of_later },
	{ "of earlier kernel", put_of_earlier },
	{ "later", put_later },
	{ "earlier", put_earlier },
	{ "touches", put_touches },
	{ "and more", put_and_more },
	{ "value 0", put_value_0 },
	{ "value 0 bytes", put_value_0_bytes },
	{ "value 1 bytes", put_value_1_bytes },
	{ "value 2 bytes", put_value_2_bytes },
	{ "value 4 bytes", put_value_4_bytes },
	{ "where", put_guard_where },
	{ "buffer", put_guard_buffer },
	{ "launch", put_launch },
	{ "byte", put_byte },
	{ "past", put_past },
	{ "box", put_box },
	{ "in kernel", put_in_kernel },
	{ "does", put_does },
	{ "beyond", put_beyond },
	{ "target", put_target },
	{ "pixel", put_pixel },
	{ "meets", put_meets },
	{ "condition", put_condition },
	{ "other work-item", put_other_item },
	{ "by whom", put_by_whom },
	{ "race object", put_race_object },
	{ "race other", put_race_other },
	{ "race order", put_race_order },
	{ "divisor", put_divisor },
	{ "distance", put_distance },
};

bool claw_found_put_word(FILE *out, const struct claw_found_group *group,
			 const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].word) == length &&
		    strncmp(words[i].word, word, length) == 0)
			return words[i].put(out, group);
	return false;
}
